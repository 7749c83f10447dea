internal import Promise

// Work that runs from the start of the system to its end.
extension Feedback {
    /// Starts work once, when the system starts, and runs it for the lifetime of the system. Events sent before the work
    /// ends are still processed after it.
    ///
    /// - Parameter work: The effect or promise that sends the events.
    public static func atStart(
        _ work: some EffectSource<Event>, file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        Feedback(Origin(file, line), accepts: .states) { context in
            let work = Requests(EffectPlan(.unnamed) { context.begin(work, $0) })
            return { _ in .keep(work) }
        }
    }

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
        atStart(
            Effect { effect in
                let forward = effect.forwarding(from: source.identity)
                let token = source.attach(true, { value in forward { event(value) } }, { effect.finish() })
                effect.onCancel { token.cancel() }
            }, file: file, line: line)
    }
}

extension EffectHandle {
    /// Returns a closure that sends the event of a delivered value. To an exploration that is done by the run itself, which
    /// remembers nothing of it, if the value is of a system in the same world.
    fileprivate func forwarding<Value>(
        from source: SourceIdentity<Value>
    ) -> @Sendable (_ event: () -> Event) -> Void {
        guard let work = run.scheduler, source.isOfSystem, work.forwards(from: source.scheduler) else {
            return { send($0()) }
        }
        return { event in inheriting(work) { send(event()) } }
    }
}

// What does not exist and is often written: the compiler answers with a sentence instead of a puzzle.
extension Feedback {
    /// Unavailable: ``atStart(_:file:line:)`` takes the work itself.
    @available(
        *, unavailable, message: "'atStart' takes the work itself, as it starts once: '.atStart(promise)'"
    )
    public static func atStart<Work>(_ work: () -> Work) -> Feedback { .identity }

    /// Unavailable: ``atStart(_:file:line:)`` takes the work itself.
    @available(
        *, unavailable,
        message: "'atStart' takes the work itself: '.atStart(Effect { effect in … })', or a promise"
    )
    public static func atStart<Work>(_ work: (EffectHandle<Event>) -> Work) -> Feedback { .identity }
}
