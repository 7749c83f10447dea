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
    /// - Parameter work: Creates the work, given the stream; called once for each system.
    public init(
        events work:
            @escaping @Sendable (AsyncStream<EventWithState<State, Event>>) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(Origin(file, line), accepts: .all, remembers: .ofEvents) { context in
            let (turns, input) = AsyncStream.makeStream(of: EventWithState<State, Event>.self)
            let requests = Requests(
                EffectPlan(.unnamed) { context.begin(work(turns).effect.finishing { input.finish() }, $0) })
            let states = LastTwo<ValueBox<State>>()
            return { received in
                switch received {
                case .state(let state, _): states.add(state)
                case .event(let event, let state):
                    input.yield(EventWithState(event, before: states.before ?? state, state: state))
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
