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
        node.tree.hasPreferences = true
        if let observer = node.tree.preferenceObserver { observer(key, node, value) }
        node.preferencesDidChange(ObjectIdentifier(key))
        node.tree.notifyWatchers()
    }

    /// The preferences of this model and all below it, as one value. It is computed when one of them was changed, and
    /// then kept. It is not tracked by `withObservationTracking`: observe ``preferences(of:)``.
    public func preference<Key: PreferenceKey>(_ key: Key.Type) -> Key.Value {
        let (node, id) = (context.node, ObjectIdentifier(key))
        // Unwrapped before a cast, which takes nothing for the nil of an optional value.
        return node.tree.gate.withGate {
            if let known = node.extras?.reducedPreferences[id].flatMap({ $0 as? Key.Value }) { return known }
            var value = Key.defaultValue
            node.visitAll { node in
                guard let next = node.extras?.preferences[id] else { return }
                if let next = next as? Key.Value { Key.reduce(&value, with: next) }
            }
            if node.isActive { node.needed.reducedPreferences[id] = value }
            return value
        }
    }

    /// The preferences of this model and all below it, as one value: the present one, and each one that is unequal to
    /// the one before. Ends with the model.
    ///
    /// Of several changes in quick succession it may have only the latest. What it has is kept for a slow consumer.
    public func preferences<Key: PreferenceKey>(of key: Key.Type) -> AsyncStream<Key.Value>
    where Key.Value: Equatable {
        let node = context.node
        let changes = node.changes(ofPreference: ObjectIdentifier(key))
        let (reference, last) = (ModelReference(self), Lock<Key.Value?>(nil))
        return AsyncStream { continuation in
            let task = node.tree.scheduler.ofCaller.startTask {
                for await _ in changes {
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

extension AnyNode {
    /// An element now, and one for every change of a preference here or below. A slow consumer receives one for
    /// several. Ends with the node.
    fileprivate final func changes(ofPreference key: ObjectIdentifier) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = tree.nextNumber()
        continuation.yield()
        tree.gate.withGate {
            guard isActive else { return continuation.finish() }
            needed.preferenceStreams[number] = (key, continuation)
        }
        continuation.onTermination = { [weak self] _ in
            guard let self else { return }
            tree.gate.withGate { _ = extras?.preferenceStreams.removeValue(forKey: number) }
        }
        return stream
    }

    /// Has the values of preferences here and above computed again. Called with the gate.
    ///
    /// - Parameter key: The preference that was set; nil if models were removed or moved.
    final func preferencesDidChange(_ key: ObjectIdentifier? = nil) {
        for extras in lineage.compactMap(\.extras) {
            if let key { extras.reducedPreferences[key] = nil } else { extras.reducedPreferences = [:] }
            for (other, stream) in extras.preferenceStreams.values where key == nil || key == other {
                tree.enqueue { stream.yield() }
            }
        }
    }
}
