public import PromisedSystem

extension Store: Recordable {
    /// Has each write of the models recorded from now on, each event that they send, and each of their tasks: who has
    /// written or sent it, a task, an observer or something outside, and the state of the store, which can be played back
    /// if its type is `Codable`.
    public func record(into sink: RecordingSink) { sink.observe(memory.system.explored, nil) }
}

extension DependencyValues {
    /// Has the store recorded from the activation of its first model on.
    ///
    /// ```swift
    /// import PromisedModels
    /// import PromisedRecording
    ///
    /// struct Counter: Model {
    ///     struct State: Codable, Equatable { var count = 0 }
    ///     let context: ModelContext<Counter>
    /// }
    ///
    /// func makeStore(_ recorder: SessionRecorder) -> Store<Counter> {
    ///     Store(initialState: .init()) { $0.record(by: recorder, as: "counter") }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - recorder: Records the store.
    ///   - name: The name in the recording.
    public mutating func record(by recorder: some ObjectRecorder, as name: String) {
        startRecording = { recorder.record($0, as: name) }
    }
}

extension Stored: StateWrapper {
    package static var wrappedType: Any.Type { State.self }
    package var wrappedState: Any { state }
}
