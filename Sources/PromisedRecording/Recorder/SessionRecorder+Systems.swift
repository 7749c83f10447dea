public import Promise
public import PromisedSystem

extension SessionRecorder {
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
            RecordedWork(self, name, on: scheduler, state: State.self, event: Event.self).makeProbe()
        }
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
            RecordedWork(recorder, name, on: scheduler, state: State.self, event: Event.self).makeProbe()
        }
        return configuration
    }
}
