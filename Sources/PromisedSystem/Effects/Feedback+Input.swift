internal import Promise

// Work that goes on from the start of the system to its end.
extension Feedback {
    /// Sends what comes from outside, for as long as the system lives. When the source ends, what it has sent is still
    /// dealt with.
    ///
    /// - Parameter effects: Where the events come from.
    public static func just(
        effects: some EffectSource<Event>, file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        Feedback(
            requests: { _, _ in [EffectRequest(.unnamed) { effects.effect }] }, file: file, line: line)
    }

    /// The feedback whose work never sends anything and never ends.
    public static var never: Feedback { just(effects: Effect<Event>.never) }

    /// Sends an event for the present value of a source, and for every one that follows: one system feeds another.
    ///
    /// - Parameters:
    ///   - source: What to follow; it is not kept alive.
    ///   - event: Makes an event of a value.
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

    /// A plain function: set up once, then told every event and the state that it has led to.
    ///
    /// - Parameter setUp: Called at the start with the way to send events, later, any number of times and from any
    ///   thread; after the end of the system nothing comes of that. What it returns is called on the system's
    ///   scheduler.
    public static func imperative(
        file: StaticString = #fileID, line: UInt = #line,
        _ setUp:
            @escaping @Sendable (_ send: @escaping @Sendable (Event) -> Void) ->
            @Sendable (State, Event) -> Void
    ) -> Feedback {
        Feedback(Origin(file, line), accepts: .all, remembers: .ofEvents) {
            let react = Lock<Reaction?>(nil)
            return { _, input in
                if case .event(let event, let state) = input {
                    react.withLock { $0 }?.run(state.value, event)
                }
                let work = EffectRequest(.unnamed) {
                    Effect { effect in
                        let reaction = Reaction(run: setUp { effect.send($0) })
                        react.withLock { $0 = reaction }
                    }
                }
                return .keep(Requests(work))
            }
        }
    }

    // A closure as a field is stored as it is; as a generic value it would be wrapped in another.
    private struct Reaction: Sendable {
        let run: @Sendable (State, Event) -> Void
    }
}
