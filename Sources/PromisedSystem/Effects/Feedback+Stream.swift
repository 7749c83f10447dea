internal import Promise

// The free form: all events in, as a stream, and events out.
extension Feedback {
    /// Puts every event into a stream, with the states before and after it; what the work that reads it sends are
    /// events.
    ///
    /// ```swift
    /// let searching = Feedback<[String], String>(events: { turns in
    ///     Effect.values(turns.filter { $0.event.count == 1 }.map { "search \($0.event) after \($0.before.count)" })
    /// })
    /// ```
    ///
    /// The work starts with the system and goes on to its end, or to its own. Its iteration runs on the system's
    /// scheduler. The state before an event is kept until the next one, so a reducer that works in place copies a large
    /// state; the other forms do without, and are to be preferred where they say what you mean.
    ///
    /// - Parameter work: Given the stream, describes the work; called once for each system.
    public init(
        events work:
            @escaping @Sendable (AsyncStream<EventWithState<State, Event>>) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(Origin(file, line), accepts: .all, remembers: .ofEvents) {
            let (turns, input) = AsyncStream.makeStream(of: EventWithState<State, Event>.self)
            let states = LastTwo<ValueBox<State>>()
            return { _, heard in
                switch heard {
                case .state(let state, _): states.add(state)
                case .event(let event, let state):
                    input.yield(EventWithState(event, before: states.before ?? state, state: state))
                }
                return .keep(
                    Requests(EffectRequest(.unnamed) { work(turns).effect.finishing { input.finish() } }))
            }
        }
    }
}

/// The present value and the one before.
private final class LastTwo<Value: Sendable>: Sendable {
    private let values = Lock<(before: Value?, now: Value?)>((nil, nil))

    var before: Value? { values.withLock { $0.before } }

    func add(_ value: Value) {
        let gone = values.withLock { values in
            defer { values = (values.now ?? value, value) }
            return values.before
        }
        // Its end may call back, and must not come under the lock.
        withExtendedLifetime(gone) {}
    }
}
