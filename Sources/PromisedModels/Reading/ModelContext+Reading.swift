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

    /// Tracks an aspect of a property, if the caller is inside of `withObservationTracking`.
    func noteRead<Part, Aspect: Equatable & Sendable>(
        _ path: any WritableKeyPath<M.State, Part> & Sendable, _ aspect: KeyPath<Part, Aspect>
    ) {
        guard isObservationTracked else { return }
        let plain: KeyPath<M.State, Part> = path
        let joined = plain.appending(path: aspect)
        // What the compiler does not keep: a path that is joined of two that are `Sendable` is as well.
        _ = tracked(unsafeBitCast(joined, to: (any KeyPath<M.State, Aspect> & Sendable).self)) { $0 == $1 }
    }

    /// The source of a property.
    @inlinable
    func source<Value: Sendable>(
        of path: any KeyPath<M.State, Value> & Sendable,
        _ areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Source<Value> {
        node.tree.gate.withGate {
            let known = node.part(at: PathPart(path)) as? Part<M, Value>
            return (known ?? Part(node, path, areEqual)).source
        }
    }
}

extension AnyNode {
    /// The observed part at a path. Called with the gate.
    @usableFromInline
    final func part(at path: PathPart) -> AnyPart? { extras?.parts.first { $0.path == path } }
}

extension Optional {
    /// Whether it is not nil.
    var isPresent: Bool { self != nil }
}

extension StateContainer {
    /// Which elements there are, in order.
    var structure: Structure<ElementID> { Structure(ids: elementIDs) }
}

/// The identities of the elements of a container.
///
/// Unchecked because a protocol of containers cannot require what conditional conformances then cannot promise: the
/// identities are computed from states, which are `Sendable`.
struct Structure<ID: Hashable>: Equatable, @unchecked Sendable {
    let ids: [ID]
}
