internal import Promise

// Work that runs from the start of the system to its end.
extension Feedback {
    /// Starts an effect once, when the system starts, and sends its events for the lifetime of the system. Events sent
    /// before the effect ends are still processed after it.
    ///
    /// - Parameter effects: The effect or promise that sends the events.
    public static func just(
        effects: some EffectSource<Event>, file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        Feedback(Origin(file, line), accepts: .states) { context in
            let work = Requests(EffectPlan(.unnamed) { context.begin(effects, $0) })
            return { _ in .keep(work) }
        }
    }

    /// A feedback that sends no events and never ends.
    public static var never: Feedback { just(effects: Effect<Event>.never) }

    /// Sends an event for the current value of a source and for every later one, so that one system can observe
    /// another.
    ///
    /// - Parameters:
    ///   - source: The source to subscribe to. Its owner is not retained.
    ///   - event: Returns the event for a value.
    public static func input<Value: Sendable>(
        _ source: Source<Value>, as event: @escaping @Sendable (Value) -> Event, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        just(
            effects: Effect { effect in
                let token = source.attach(true, { effect.send(event($0)) }, { effect.finish() })
                effect.onCancel { token.cancel() }
            }, file: file, line: line)
    }

    /// Connects imperative code: a closure set up once, then called with every event and the state after it.
    ///
    /// - Parameter setUp: Called once when the system starts, with a closure that sends events. That closure may be
    ///   stored and called any number of times, from any thread; after the system has ended it is a no-op. The closure
    ///   that `setUp` returns is called on the system's scheduler.
    public static func imperative(
        file: StaticString = #fileID, line: UInt = #line,
        _ setUp:
            @escaping @Sendable (_ send: @escaping @Sendable (Event) -> Void) ->
            @Sendable (State, Event) -> Void
    ) -> Feedback {
        Feedback(Origin(file, line), accepts: .all, remembers: .ofEvents) { context in
            let react = Lock<Reaction?>(nil)
            let work = Effect { effect in
                let reaction = Reaction(run: setUp { effect.send($0) })
                react.withLock { $0 = reaction }
            }
            let requests = Requests(EffectPlan(.unnamed) { context.begin(work, $0) })
            return { input in
                if let event = input.event { react.withLock { $0 }?.run(input.state, event) }
                return .keep(requests)
            }
        }
    }

    // A closure in a stored property is stored as it is; as a generic value it would be wrapped in a second closure.
    private struct Reaction: Sendable {
        let run: @Sendable (State, Event) -> Void
    }
}
