internal import Promise

// The names under which feedbacks that run from the start of the system to its end were published.
extension Feedback {
    /// The published name of ``atStart(_:file:line:)``.
    ///
    /// - Parameter effects: The effect or promise that sends the events.
    public static func just(
        effects: some EffectSource<Event>, file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback { atStart(effects, file: file, line: line) }

    /// A published name of ``identity``.
    public static var empty: Feedback { identity }

    /// A feedback that sends no events and never ends.
    public static var never: Feedback { atStart(Effect<Event>.never) }

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
            let react = Lock<ReactionClosure?>(nil)
            let work = Effect { effect in
                let reaction = ReactionClosure(run: setUp { effect.send($0) })
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
    private struct ReactionClosure: Sendable {
        let run: @Sendable (State, Event) -> Void
    }
}
