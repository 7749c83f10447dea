internal import Promise

// The most general form: a stream of all events in, events out.
extension Feedback {
    /// Starts one effect that reads a stream of all events, each with the states before and after it.
    ///
    /// ```swift
    /// let searching = Feedback<[String], String>(events: { turns in
    ///     Effect.values(turns.filter { $0.event.count == 1 }.map { "search \($0.event) after \($0.before.count)" })
    /// })
    /// ```
    ///
    /// The work starts with the system, and runs until the system or the work itself ends. Its iteration runs on the
    /// system's scheduler. The state before an event is retained until the next event, so a reducer that mutates in
    /// place copies a large state. The other feedbacks avoid this; prefer them where they fit.
    ///
    /// If the work fails, its error goes to the system's `onError`, and the work is created again, with the same stream:
    /// it begins with the first event that was not read yet, and loses what it had in its variables. It is created once
    /// for an event at most, so work that always fails waits for the next event.
    ///
    /// - Parameter work: Creates the work, given the stream; called at the start of each system, and after each failure
    ///   on its scheduler.
    public init(
        events work:
            @escaping @Sendable (AsyncStream<EventWithState<State, Event>>) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(Origin(file, line), accepts: .all, remembers: .ofEvents) { context in
            // This policy buffers as much as an unbounded one, and counts its values.
            let (turns, input) = AsyncStream.makeStream(
                of: EventWithState<State, Event>.self, bufferingPolicy: .bufferingOldest(.max))
            let restarts = Restarts()
            let requests = Requests(
                EffectPlan(.unnamed) { run in
                    let serving = Effect { restarts.begin({ work(turns).effect }, as: $0) }
                    context.begin(serving.finishing { input.finish() }, run)
                })
            let states = LastTwo<ValueBox<State>>()
            return { received in
                switch received {
                case .state(let state, _): states.add(state)
                case .event(let event, let state):
                    let turn = EventWithState(event, before: states.before ?? state, state: state)
                    if case .enqueued(let remaining) = input.yield(turn) {
                        restarts.eventArrived(buffered: .max - remaining)
                    }
                }
                return .keep(requests)
            }
        }
    }
}

/// The current value and the previous one.
private final class LastTwo<Value: Sendable>: Sendable {
    private let values = Lock<(before: Value?, now: Value?)>((nil, nil))

    var before: Value? { values.withLock { $0.before } }

    func add(_ value: Value) {
        let released = values.withLock { values in
            defer { values = (values.now ?? value, value) }
            return values.before
        }
        // Released outside the lock, because its deinitializer may re-enter.
        withExtendedLifetime(released) {}
    }
}

/// Restarts work that has failed, as soon as there is an event that it has not read.
private final class Restarts: Sendable {
    private struct RestartState: Sendable {
        /// How many events may be unread: at most those in the buffer, and one restart is spent on each.
        var unread = 0
        /// Starts the work again; nil while it runs.
        var start: (@Sendable () -> Void)?

        mutating func next() -> (@Sendable () -> Void)? {
            guard unread > 0, let start else { return nil }
            (unread, self.start) = (unread - 1, nil)
            return start
        }
    }

    private let state = Lock(RestartState())

    func begin<Event>(_ work: @escaping @Sendable () -> Effect<Event>, as effect: EffectHandle<Event>) {
        let part = SubEffect { [self] error, last in
            guard let error else { return effect.end(nil, last) }
            effect.context.failed(error)
            let start = { @Sendable in
                effect.scheduler.schedule { [self] in if !effect.isCancelled { begin(work, as: effect) } }
            }
            state.withLock { state in
                state.start = start
                return state.next()
            }?()
        }
        work().begin(EffectHandle(run: effect.run, context: effect.context, part: part))
    }

    func eventArrived(buffered: Int) {
        state.withLock { state in
            state.unread = min(state.unread + 1, buffered)
            return state.next()
        }?()
    }
}
