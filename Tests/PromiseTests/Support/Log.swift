import Promise

/// A thread-safe log of lines.
final class Log: Sendable {
    private let content = Lock<[String]>([])

    var lines: [String] { content.withLock { $0 } }
    var count: Int { content.withLock { $0.count } }

    func add(_ line: String) { content.withLock { $0.append(line) } }

    func callAsFunction(_ value: some Sendable) { add("\(value)") }
}

/// A thread-safe counter.
final class Counter: Sendable {
    private let content = Lock(0)

    var value: Int { content.withLock { $0 } }

    @discardableResult
    func up() -> Int {
        content.withLock {
            $0 += 1
            return $0
        }
    }
}

/// A thread-safe variable that retains its content until it is set to nil.
final class Box<Content: Sendable>: Sendable {
    private let content: Lock<Content?>

    init(_ content: Content? = nil) { self.content = Lock(content) }

    var value: Content? {
        get { content.withLock { $0 } }
        set {
            // The old content is released outside the lock.
            let old = content.withLock { content in
                defer { content = newValue }
                return content
            }
            withExtendedLifetime(old) {}
        }
    }
}

/// An object whose release a weak reference can observe.
final class Token: Sendable {}

struct Boom: Error, Hashable, CustomStringConvertible {
    let name: String

    init(_ name: String = "boom") { self.name = name }

    var description: String { name }

    private static let made = Counter()

    /// An error that differs from those of all other tests.
    static func unique(_ name: String = "boom") -> Boom { Boom("\(name)-\(made.up())") }
}

extension Promise {
    /// Logs what an observer receives: `~x` an interim value, `x` the value, `!x` the error.
    @discardableResult
    func trace(_ log: Log, _ prefix: String = "") -> Promise<Void> {
        onInterim { log.add("\(prefix)~\($0)") }
            .done { log.add("\(prefix)\($0)") }
            .catch { log.add("\(prefix)!\($0)") }
    }

    /// A log of what an observer receives from now on.
    func traced() -> Log {
        let log = Log()
        trace(log)
        return log
    }
}

extension Result {
    var value: Success? { try? get() }

    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
