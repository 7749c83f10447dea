internal import Promise

/// A value outside the system that its effects read and write, such as a file. It is part of every
/// configuration of an exploration.
///
/// State that effects share, other than the state of the system, must be in a variable: configurations that differ only
/// elsewhere are merged.
public final class WorldVariable<Value: Hashable & Sendable>: Sendable {
    private let content: Lock<Value>
    /// Reports a value that the system's work has read and may depend on.
    private let noteRead: @Sendable (Value) -> Void
    private let noteWrite: @Sendable () -> Void

    init(
        _ initial: Value, noteRead: @escaping @Sendable (Value) -> Void,
        noteWrite: @escaping @Sendable () -> Void
    ) {
        content = Lock(initial)
        (self.noteRead, self.noteWrite) = (noteRead, noteWrite)
    }

    /// The current value. Reads are recorded, because the work may depend on what it has read.
    public var value: Value {
        get {
            let value = content.withLock { $0 }
            noteRead(value)
            return value
        }
        // The old value is released outside the lock, because its deinitialization may read the variable.
        set {
            noteWrite()
            set(newValue)
        }
    }

    /// The current value, without recording the read: for the explorer itself.
    var present: Value { content.withLock { $0 } }

    func set(_ value: Value) { content.exchange(for: value) }

    /// Changes the value. Reading and writing are not atomic together.
    ///
    /// - Throws: The error of `body`; changes made before it are kept.
    public func change<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var value = self.value
        defer { self.value = value }
        return try body(&value)
    }
}
