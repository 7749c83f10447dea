public import PromisedSystem

internal import Promise

extension ModelContext {
    /// A property of the state, tracked if the caller is inside of `withObservationTracking`.
    @inlinable
    func observed<Value: Sendable>(
        _ path: any KeyPath<M.State, Value> & Sendable,
        _ areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Value {
        isObservationTracked ? tracked(path, areEqual) : node.read(path)
    }

    @usableFromInline
    func tracked<Value: Sendable>(
        _ path: any KeyPath<M.State, Value> & Sendable,
        _ areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Value {
        source(of: path, areEqual).value
    }

    /// The source of a property.
    func source<Value: Sendable>(
        of path: any KeyPath<M.State, Value> & Sendable,
        _ areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Source<Value> {
        let tree = node.tree
        return tree.gate.withGate {
            if let known = node.extras?.parts.first(where: { $0.path == PathPart(path) }) as? Part<M, Value> {
                return known.source
            }
            return Part(node, path, areEqual).source
        }
    }
}
