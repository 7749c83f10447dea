import Promise

/// A list of entries in the order in which they were added, from any thread.
final class Log<Entry: Sendable>: Sendable {
    private let lock = Lock<[Entry]>([])

    var entries: [Entry] { lock.withLock { $0 } }
    var count: Int { lock.withLock { $0.count } }

    func add(_ entry: Entry) { lock.withLock { $0.append(entry) } }

    /// Removes and returns all entries.
    func take() -> [Entry] {
        lock.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }
}

/// A value that threads share.
final class Box<Value: Sendable>: Sendable {
    private let lock: Lock<Value>

    init(_ value: Value) { lock = Lock(value) }

    var value: Value {
        get { lock.withLock { $0 } }
        set {
            let old = lock.withLock { value in
                defer { value = newValue }
                return value
            }
            _ = old
        }
    }

    /// Replaces the value by `other` and returns the old one.
    func exchange(_ other: Value) -> Value {
        lock.withLock { value in
            defer { value = other }
            return value
        }
    }
}

/// An object whose deinit is observed.
final class Witness: Sendable {
    private let onEnd: @Sendable () -> Void

    init(_ onEnd: @escaping @Sendable () -> Void = {}) { self.onEnd = onEnd }

    deinit { onEnd() }

    /// Makes the calling closure retain the object.
    func touch() {}
}

struct TestError: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
