package import Promise

extension System {
    /// How a system treats its events, and what it keeps.
    ///
    /// ```swift
    /// let counter = System<Int, Int>(
    ///     initialState: 0, scheduler: .immediate, configuration: .init(history: .last(2))
    /// ) { .value($0 + $1) }
    /// for number in 1...3 { counter.sendEvent(number) }
    /// print(Array(counter.history))
    /// ```
    public struct Configuration: Sendable {
        let eventPolicy: (@Sendable (Event) -> EventPolicy)?
        let timeLimit: @Sendable (Event) -> Duration?
        private(set) var history: HistoryLimit?
        let cascadeLimit: Int
        /// Makes the probe of a recording, given the system's scheduler; called for each system when it is created,
        /// unless it is explored.
        @usableFromInline package var makeProbe: (@Sendable (any SerialScheduler) -> LoopProbe<State, Event>)?

        /// - Parameters:
        ///   - eventPolicy: Decides, as a pure function, whether an event is queued, dropped or delayed, unless its
        ///     sender passes a policy:
        ///     called on the sender's thread, and applied when the event arrives at the loop. Nil for
        ///     ``EventPolicy/queue``.
        ///   - timeLimit: How long the transition of an event may run before it is cancelled and reported as
        ///     `PromiseError.timedOut`; nil for no limit. Called with the event as it was sent, before middleware.
        ///   - history: How many shown states are kept. By default none; a system made by `System.pure` keeps 1,000.
        ///   - cascadeLimit: How many events may follow each other, each sent while the one before it is processed. The
        ///     event that exceeds it is dropped and reported. A timer ends a cascade, even one that fires at once: a
        ///     system that only sends itself events with `delay(.zero)` is never stopped. Values below 1 count as 1,
        ///     so an event from outside a cascade is always processed.
        public init(
            eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
            timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
            history: HistoryLimit? = nil, cascadeLimit: Int = 100_000
        ) {
            (self.eventPolicy, self.timeLimit) = (eventPolicy, timeLimit)
            (self.history, self.cascadeLimit) = (history, max(1, cascadeLimit))
        }

        /// The same, with the history that systems on the main queue keep by default.
        var onMain: Configuration {
            var configuration = self
            configuration.history = history ?? .last(1000)
            return configuration
        }
    }
}
