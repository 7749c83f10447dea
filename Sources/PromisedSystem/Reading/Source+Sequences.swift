public import Promise

extension Source {
    /// Creates a source of the latest element of an asynchronous sequence.
    ///
    /// ```swift
    /// let (ticks, ticking) = AsyncStream.makeStream(of: Int.self)
    /// let latest = Source(initial: 0, updates: ticks)
    /// ticking.yield(1)
    /// for await tick in latest.values where tick == 1 { break }
    /// print(latest.value)
    /// ```
    ///
    /// The iteration begins when the source is first read or subscribed to. It is cancelled when the source and its
    /// subscriptions are released; if the sequence ends first, the source ends too and keeps its last value. To turn a
    /// source into a sequence, use ``values``.
    ///
    /// - Parameters:
    ///   - initial: The value before the first element; evaluated at most once, when it is first needed.
    ///   - updates: The sequence to iterate. Every element is delivered, equal ones included.
    ///   - scheduler: Where the iteration runs and subscribers are notified; nil for the executor
    ///     of nonisolated tasks.
    public init<Updates: AsyncSequence & Sendable>(
        initial: @autoclosure @escaping @Sendable () -> Value, updates: Updates,
        on scheduler: (any SerialScheduler)? = nil
    ) where Updates.Element == Value, Updates.Failure == Never {
        let subject = Subject<Value>()
        // Others wait for the initial value, as it is made at most once.
        let beginning = RecursiveLock()
        let begun = { @Sendable () -> Subject<Value> in
            beginning.withLock {
                guard !subject.hasValue else { return }
                subject.publish(initial())
                let present = { @Sendable [weak subject] in subject }
                // Without a capture list, with which it would not run on the scheduler.
                let iterate: nonisolated(nonsending) @Sendable () async throws -> Void = {
                    for await value in updates {
                        guard let subject = present() else { return }
                        subject.publish(value)
                    }
                    present()?.finish()
                }
                let task = scheduler?.startTask(iterate) ?? Task { try await iterate() }
                subject.keep(SubscriptionToken(endsOnRelease: true) { task.cancel() })
            }
            return subject
        }
        self = subject.source(SourceIdentity(scheduler)) { begun().present ?? initial() }
    }
}
