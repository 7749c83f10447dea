internal import Promise

/// Something outside the system that the world remembers, such as what is on a disk: part of what tells one moment of an
/// exploration from another.
///
/// Whatever the work of effects shares, apart from the state of the system, has to be in one: two moments that differ
/// elsewhere are taken for one.
public final class WorldVariable<Value: Hashable & Sendable>: Sendable {
    private let content: Lock<Value>
    /// Told of what somebody has read, and may go by.
    private let noteRead: @Sendable (Value) -> Void

    init(_ initial: Value, noteRead: @escaping @Sendable (Value) -> Void) {
        (content, self.noteRead) = (Lock(initial), noteRead)
    }

    /// What is there now.
    public var value: Value {
        get {
            let value = content.withLock { $0 }
            noteRead(value)
            return value
        }
        // The old one is released outside of the lock: its end may read what is there.
        set { content.exchange(for: newValue) }
    }

    /// What is there, for somebody who only looks at the world from outside.
    var present: Value { content.withLock { $0 } }

    /// Changes what is there.
    ///
    /// - Throws: What `body` throws; what it has changed until then stays changed.
    public func change<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var value = self.value
        defer { self.value = value }
        return try body(&value)
    }
}
