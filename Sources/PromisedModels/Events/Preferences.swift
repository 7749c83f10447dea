internal import PromisedSystem

internal import Promise

/// Identifies a value that models set for those above them, which read the values of all models below as one.
public protocol PreferenceKey: Sendable {
    /// The type of the value.
    associatedtype Value: Sendable

    /// The value if no model sets one.
    static var defaultValue: Value { get }
    /// Adds the value of a further model: first of the model itself, then of those below it, in order.
    static func reduce(_ value: inout Value, with next: Value)
}

extension Model {
    /// Sets the preference of this model; nil to have none.
    public func setPreference<Key: PreferenceKey>(_ key: Key.Type, _ value: Key.Value?) {
        let node = context.node
        let isOutermost = node.tree.gate.acquire()
        defer { if isOutermost { node.tree.releaseGate() } }
        guard node.isActive, !node.isSilenced else { return }
        node.needed.preferences[ObjectIdentifier(key)] = value
        if let observer = node.tree.preferenceObserver { observer(key, node, value) }
        node.tree.notifyWatchers()
    }

    /// The preferences of this model and all below it, as one value.
    public func preference<Key: PreferenceKey>(_ key: Key.Type) -> Key.Value {
        let node = context.node
        let values = node.tree.gate.withGate {
            ([node] + node.descendants).compactMap {
                // Unwrapped before the cast, which takes nothing for the nil of an optional value.
                $0.extras?.preferences[ObjectIdentifier(key)].flatMap { $0 as? Key.Value }
            }
        }
        return values.reduce(into: Key.defaultValue) { Key.reduce(&$0, with: $1) }
    }

    /// The preferences of this model and all below it, as one value: the present one, and each one that is unequal to
    /// the one before. Ends with the model.
    ///
    /// Of several changes in quick succession it may have only the latest. What it has is kept for a slow consumer.
    public func preferences<Key: PreferenceKey>(of key: Key.Type) -> AsyncStream<Key.Value>
    where Key.Value: Equatable {
        let tree = context.node.tree
        let (writes, reference, last) = (tree.writes, ModelReference(self), Lock<Key.Value?>(nil))
        return AsyncStream { continuation in
            let task = tree.scheduler.startTask {
                for await _ in writes {
                    guard let model = reference.model else { break }
                    let value = model.preference(key)
                    let before = last.exchange(for: value)
                    if before.map({ !areSame($0, value) }) ?? true { continuation.yield(value) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
