public import PromisedSystem

extension Store: Recordable {
    /// Has each write of the models and each of their tasks recorded from now on, and the state of the store: it can be
    /// played back if its type is `Codable`.
    public func record(into sink: RecordingSink) { sink.observe(memory.system.explored) }
}

extension Stored: StateWrapper {
    package static var wrappedType: Any.Type { State.self }
    package var wrappedState: Any { state }
}
