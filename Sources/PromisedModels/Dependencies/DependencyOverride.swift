internal import PromisedSystem

/// A dependency that a model overrides.
struct DependencyOverride: Sendable {
    let path: PathPart
    let apply: @Sendable (inout DependencyValues) -> Void
}

/// A key as the index of a key path.
struct KeyType<Key: DependencyKey>: Hashable, Sendable {}

extension DependencyValues {
    subscript<Key: DependencyKey>(_ key: KeyType<Key>) -> Key.Value {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}
