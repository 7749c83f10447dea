/// Ends a store when it is released.
@usableFromInline
final class StoreLifetime: Sendable {
    @usableFromInline let tree: Tree

    @usableFromInline
    init(_ tree: Tree) {
        self.tree = tree
        tree.lifetime = self
    }

    deinit { tree.end() }
}
