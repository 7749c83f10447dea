internal import Promise
internal import PromisedSystem

/// A handle to something that ends with its model and can be ended before.
public struct Cancellable: Sendable {
    let task: ModelTask?

    /// Cancels it, from any thread, also before it has begun. Further calls are no-ops.
    public func cancel() { task?.cancel() }

    /// Adds a key, with which `cancelAll(for:)` cancels it.
    ///
    /// - Parameters:
    ///   - key: Any value, or a type as its metatype.
    ///   - cancelInFlight: Whether what the same model has begun under the key is cancelled first.
    @discardableResult
    public func cancel(for key: some Hashable & Sendable, cancelInFlight: Bool = false) -> Cancellable {
        add(EffectKey(key), cancelInFlight)
    }

    /// Adds a type as the key, with which `cancelAll(for:)` cancels it.
    @discardableResult
    public func cancel<Key>(for key: Key.Type, cancelInFlight: Bool = false) -> Cancellable {
        add(EffectKey(ObjectIdentifier(key)), cancelInFlight)
    }

    /// Cancels what the same model has begun at the same place of the source before.
    @discardableResult
    public func cancelInFlight(
        file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> Cancellable { add(EffectKey("\(file):\(line):\(column)"), true) }

    private func add(_ key: EffectKey, _ cancelsOthers: Bool) -> Cancellable {
        guard let task else { return self }
        let node = task.node
        // One step: of two that are begun at once under the key, one is cancelled.
        let others = node.tree.gate.withGate { () -> [ModelTask] in
            defer { task.add(key) }
            return cancelsOthers ? node.tasks(for: key).filter { $0 !== task } : []
        }
        for other in others { other.cancel() }
        return self
    }
}

/// The keys of the cancellation contexts that the caller is in.
enum CancellationKeys {
    @TaskLocal static var current: [EffectKey] = []
}
