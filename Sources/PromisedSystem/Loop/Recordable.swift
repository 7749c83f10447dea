/// An object that a recorder can record, such as a store of models or a log of actions.
///
/// A type of your own records the objects that it consists of:
///
/// ```swift
/// import PromisedSystem
///
/// struct Logs<Log: Recordable>: Recordable {
///     let all: [Log]
///
///     func record(into sink: RecordingSink) { for log in all { log.record(into: sink) } }
/// }
/// ```
public protocol Recordable: Sendable {
    /// Called once by a recorder, on the thread that passes the object to it.
    ///
    /// - Parameter sink: Passed on to other recordable objects.
    func record(into sink: RecordingSink)
}

/// The way of an object's facts into a recording.
public struct RecordingSink: Sendable {
    /// Records a system.
    package let observe: @Sendable (any ExploredSystem) -> Void
    /// Adds the call of an action: the source, the name, the input, and why it was not executed.
    package let noteAction: @Sendable (String, String, any Sendable, (any Error)?) -> Void

    package init(
        observe: @escaping @Sendable (any ExploredSystem) -> Void,
        noteAction: @escaping @Sendable (String, String, any Sendable, (any Error)?) -> Void
    ) {
        (self.observe, self.noteAction) = (observe, noteAction)
    }
}

/// A state that a system keeps inside another value: a recording has the state alone.
package protocol StateWrapper: Sendable {
    static var wrappedType: Any.Type { get }
    var wrappedState: Any { get }
}
