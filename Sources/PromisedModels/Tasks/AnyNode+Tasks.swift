internal import Promise
internal import PromisedSystem
internal import Synchronization

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
    final func tasks(for key: EffectKey) -> [ModelTask] {
        (extras?.tasks.values.filter { $0.has(key) } ?? []).sorted { $0.number < $1.number }
    }

    /// Cancels the tasks that were begun here under a key.
    final func cancel(_ key: EffectKey) {
        if tree.readsOverride { return }
        for task in tree.gate.withGate({ tasks(for: key) }) { task.cancel() }
    }
}
