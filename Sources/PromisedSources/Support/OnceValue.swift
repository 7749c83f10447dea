internal import Promise
internal import PromisedSystem

/// A value that is computed once, at the first access, while other threads wait.
final class OnceValue<Value: Sendable>: Sendable {
    private enum Content: Sendable {
        case none, computing
        case value(Value)
    }

    private let content = Lock(Content.none)
    // Held while the value is computed; recursive, so that the closure may read what it computes from other values.
    private let computation = RecursiveLock()

    /// - Parameter compute: Called at most once, unless it throws.
    func value(_ compute: () throws -> Value) rethrows -> Value {
        if case .value(let value) = content.withLock({ $0 }) { return value }
        return try computation.withLock {
            switch content.withLock({ $0 }) {
            case .value(let value): return value
            case .computing:
                fatalError("The initial value of a source depends on itself: it reads the source.")
            case .none: break
            }
            content.exchange(for: .computing)
            do {
                let value = try compute()
                content.exchange(for: .value(value))
                return value
            } catch {
                content.exchange(for: .none)
                throw error
            }
        }
    }
}
