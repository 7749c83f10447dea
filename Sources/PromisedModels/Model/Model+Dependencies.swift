internal import PromisedSystem

extension Model {
    /// A dependency: as overridden here, or by the nearest model above that overrides it, or by the store, or else its
    /// default. It is looked up at each call.
    public func dependency<Value>(_ path: KeyPath<DependencyValues, Value>) -> Value {
        let node = context.node
        var values = node.tree.gate.withGate {
            var values = node.tree.dependencies
            for node in node.lineage.reversed() {
                for override in node.extras?.dependencies ?? [] { override.apply(&values) }
            }
            return values
        }
        return values.inheriting { $0[keyPath: path] }
    }

    /// The dependency of a key. In a module whose code is isolated to the main actor by default, where a key path
    /// cannot be formed outside of it, this is the way from any thread.
    public func dependency<Key: DependencyKey>(_ key: Key.Type) -> Key.Value {
        dependency(\.[KeyType<Key>()])
    }

    /// Overrides the dependency of a key for this model and all models below it, until it is reset.
    public func override<Key: DependencyKey>(_ key: Key.Type, with value: Key.Value) {
        override(\.[KeyType<Key>()], with: value)
    }

    /// Ends the override of the dependency of a key by this model, which then inherits it again.
    public func resetDependency<Key: DependencyKey>(_ key: Key.Type) { resetDependency(\.[KeyType<Key>()]) }

    /// Overrides a dependency for this model and all models below it, until it is reset.
    public func override<Value: Sendable>(
        _ path: any WritableKeyPath<DependencyValues, Value> & Sendable, with value: Value
    ) {
        let override = DependencyOverride(path: PathPart(path)) { $0[keyPath: path] = value }
        change { overrides in
            overrides.removeAll { $0.path == override.path }
            overrides.append(override)
        }
    }

    /// Ends the override of a dependency by this model, which then inherits it again.
    public func resetDependency<Value: Sendable>(
        _ path: any WritableKeyPath<DependencyValues, Value> & Sendable
    ) {
        change { overrides in overrides.removeAll { $0.path == PathPart(path) } }
    }

    private func change(_ body: (inout [DependencyOverride]) -> Void) {
        let node = context.node
        node.tree.gate.withGate {
            guard node.isActive, !node.isSilenced else { return }
            body(&node.needed.dependencies)
            node.tree.hasOverrides = true
        }
    }
}
