public import Promise
public import PromisedSystem

extension SessionRecorder: ObjectRecorder {
    /// Records a system from now on, unless it is being recorded or explored.
    ///
    /// Called on the system's scheduler while the system is idle, it begins at once; otherwise when the system has
    /// handled all earlier messages. Work that is in flight then is not part of the recording, so to run it again,
    /// record the system from its first event, by ``PromisedSystem/System/Configuration/recorded(by:as:)``.
    ///
    /// - Parameters:
    ///   - system: It is not retained.
    ///   - name: The name in the recording; a second system of one name gets a number.
    @inlinable
    public func record<State, Event>(_ system: System<State, Event>, as name: String) {
        system.attach { [self] scheduler in
            let notes = LoopNotes(self, name, on: scheduler, state: State.self, event: Event.self)
            return notes.makeProbe(RecordedWork(notes, on: scheduler))
        }
    }

    /// Records an object from now on, unless it is being recorded or explored: a store of models, with each write, event
    /// and task, fetches by key, or a log of actions. A store is recorded from its first task on with
    /// `record(by:as:)` of its dependencies.
    ///
    /// - Parameters:
    ///   - object: It is not retained.
    ///   - name: The name in the recording; a second system of one name gets a number. Calls of a log have it as `log`.
    public func record(_ object: some Recordable, as name: String) {
        let actions = Lock<SystemFacts?>(nil)
        object.record(
            into: RecordingSink(
                observe: { [self] system, part in
                    system.attach { state, event, scheduler in
                        RecordedWork(
                            LoopNotes(self, name, part, on: scheduler, state: state, event: event),
                            on: scheduler)
                    }
                },
                noteAction: { [self] source, action, input, problem in
                    let fields: FactFields = [
                        "log": .text(name), "source": .text(source), "action": .text(action),
                        "in": .value(input), "problem": .error(problem),
                    ]
                    let facts = actions.withLock { facts in
                        let known = facts ?? addObject(name)
                        facts = known
                        return known
                    }
                    facts.append(.other(.action, fields, at: clock.now))
                }))
    }

    /// Facts of an object that is no system.
    private func addObject(_ name: String) -> SystemFacts {
        let facts = SystemFacts(buffer, SystemLines(name, start: .zero, state: Void.self, event: Void.self))
        buffer.add(facts)
        return facts
    }
}

extension System.Configuration {
    /// The same, with systems that are recorded from their first event on, unless they are explored.
    ///
    /// ```swift
    /// import PromisedRecording
    ///
    /// func makeCounter(_ recorder: SessionRecorder) -> System<Int, Int> {
    ///     System(
    ///         initialState: 0, configuration: .init().recorded(by: recorder, as: "counter"),
    ///         reducer: { .value($0 + $1) })
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - recorder: Records each system that is created with this configuration.
    ///   - name: The name in the recording; a second system of one name gets a number.
    @inlinable
    public func recorded(by recorder: SessionRecorder, as name: String) -> Self {
        var configuration = self
        configuration.makeProbe = { scheduler in
            let notes = LoopNotes(recorder, name, on: scheduler, state: State.self, event: Event.self)
            return notes.makeProbe(RecordedWork(notes, on: scheduler))
        }
        return configuration
    }
}
