internal import Promise

/// A value that is computed once, at the first access, while other threads wait.
package final class OnceValue<Value: Sendable>: Sendable {
    private enum OnceState: Sendable {
        case none, computing
        case value(Value)
    }

    private let content = Lock(OnceState.none)
    // Held while the value is computed; recursive, so that the closure may read what it computes from other values.
    private let computation = RecursiveLock()

    package init() {}

    /// - Parameters:
    ///   - what: What the value is, for the error if it depends on itself.
    ///   - compute: Called at most once, unless it throws.
    package func value(
        of what: @autoclosure () -> String = "initial value of a source", _ compute: () throws -> Value
    ) rethrows -> Value {
        if case .value(let value) = content.withLock({ $0 }) { return value }
        return try computation.withLock {
            switch content.withLock({ $0 }) {
            case .value(let value): return value
            case .computing:
                fatalError("The \(what()) depends on itself.")
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
