internal import Promise
internal import PromisedSystem
internal import Synchronization

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

extension AnyNode {
    /// Adds something that ends with the node; nil, with a report, if it has ended already.
    final func addTask(
        at origin: Origin, isHook: Bool = false, _ onCancel: (@Sendable () -> Void)? = nil
    ) -> ModelTask? {
        let task = tree.gate.withGate { () -> ModelTask? in
            guard isActive, !tree.isOver, !isSilenced else { return nil }
            let extras = needed
            let task = ModelTask(
                self, number: extras.nextTask(isReused: tree.namesTasksByPlace), at: origin, onCancel)
            extras.tasks[task.number] = task
            for key in CancellationKeys.current { task.add(key) }
            return task
        }
        guard let task else {
            if !isHook, !isSilenced, phase.load(ordering: .relaxed) != .activating {
                report(.taskOfRemovedState(of: name), at: origin)
            }
            return nil
        }
        return task
    }

    /// The tasks that were begun here under a key. Called with the gate.
    fileprivate final func tasks(for key: EffectKey) -> [ModelTask] {
        (extras?.tasks.values.filter { $0.has(key) } ?? []).sorted { $0.number < $1.number }
    }

    /// Cancels the tasks that were begun here under a key.
    final func cancel(_ key: EffectKey) {
        for task in tree.gate.withGate({ tasks(for: key) }) { task.cancel() }
    }
}

/// The keys of the cancellation contexts that the caller is in.
enum CancellationKeys {
    @TaskLocal static var current: [EffectKey] = []
}
