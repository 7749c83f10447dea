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

/// Records objects: a `SessionRecorder` of PromisedRecording.
public protocol ObjectRecorder: Sendable {
    /// Records an object from now on.
    ///
    /// - Parameters:
    ///   - object: The object, which records itself.
    ///   - name: The name in the recording.
    func record(_ object: some Recordable, as name: String)
}

/// The way of an object's facts into a recording.
public struct RecordingSink: Sendable {
    /// Records a system, which is the part of the object with that key, if it is not the only one.
    package let observe: @Sendable (any ExploredSystem, EffectKey?) -> Void
    /// Adds the call of an action: the source, the name, the input, and why it was not executed.
    package let noteAction: @Sendable (String, String, any Sendable, (any Error)?) -> Void

    package init(
        observe: @escaping @Sendable (any ExploredSystem, EffectKey?) -> Void,
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
