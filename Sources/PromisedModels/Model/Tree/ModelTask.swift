internal import Promise
internal import PromisedSystem
internal import Synchronization

/// Something that ends with a model: a task, a hook, a subscription.
final class ModelTask: Sendable {
    let node: AnyNode
    let number: Int
    let origin: Origin
    private let isOver = Atomic(false)
    /// Whether it has work that is not waiting for the next element of a sequence.
    private let hasWork = Atomic(false)
    /// Whether it handles the elements of a sequence.
    private let isOfSequence = Atomic(false)
    private let state = Lock(TaskState())
    /// Who has begun it, if the store is recorded.
    private let cause: WriteCause?

    private struct TaskState: Sendable {
        var keys: Set<EffectKey> = []
        var onCancel: (@Sendable () -> Void)?
        /// Set while the work is running.
        var run: TaskRun?
    }

    /// The task that the caller is in.
    static var current: ModelTask? { TaskRun.current?.task }

    init(_ node: AnyNode, number: Int, at origin: Origin, _ onCancel: (@Sendable () -> Void)? = nil) {
        (self.node, self.number, self.origin, cause) = (node, number, origin, node.tree.storage.cause())
        let place = node.tree.namesTasksByPlace ? node.identityText : nil
        key = EffectKey(
            TaskKey(
                node: place == nil ? node.number : 0, place: place ?? "", number: number,
                text: "\(node.name), task at \(origin)"))
        state.withLock { $0.onCancel = onCancel }
    }

    /// Identifies the running work in the store's system.
    private struct TaskKey: Hashable, Sendable, CustomStringConvertible {
        let node: Int
        let place: String
        let number: Int
        let text: String

        var description: String { text }

        static func == (left: TaskKey, right: TaskKey) -> Bool {
            (left.node, left.number, left.place, left.text) == (
                right.node, right.number, right.place, right.text
            )
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(node)
            hasher.combine(number)
        }
    }

    let key: EffectKey

    var isAtWork: Bool { hasWork.load(ordering: .relaxed) && !isCancelled }
    func setAtWork(_ isAtWork: Bool) { hasWork.store(isAtWork, ordering: .relaxed) }

    var handlesSequence: Bool { isOfSequence.load(ordering: .relaxed) }
    func setHandlesSequence() { isOfSequence.store(true, ordering: .relaxed) }

    var isCancelled: Bool { isOver.load(ordering: .acquiring) }

    // MARK: Keys

    func add(_ key: EffectKey) { state.withLock { _ = $0.keys.insert(key) } }
    func has(_ key: EffectKey) -> Bool { state.withLock { $0.keys.contains(key) } }

    // MARK: Running

    /// Starts the work. Called by the owner of the loop.
    func begin(_ work: nonisolated(nonsending) @escaping @Sendable (TaskRun) async throws -> Void) {
        let run = TaskRun(self)
        state.withLock { $0.run = run }
        guard !isCancelled, !node.tree.isOver else { return state.withLock { $0.run = nil } }
        let (origin, cause) = (origin, cause)
        node.tree.storage.begin(
            Effect { [self] effect in
                effect.onCancel { [self] in end() }
                effect.finish(
                    // Without a capture list, with which it would not run on the scheduler.
                    with: Promise(origin: origin) {
                        defer { self.end() }
                        do {
                            // An earlier delivery may have cancelled it.
                            if !self.isCancelled { try await work(run) }
                        } catch  where self.isCancelled {
                            // The end of the model, or of the task, is not a failure.
                        }
                    })
            }, key, origin, cause)
    }

    /// Marks the work as finished.
    func end() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        state.withLock { $0.run = nil }
        forget()
    }

    /// Cancels the work, and calls the hook. Further calls are no-ops.
    func cancel() {
        guard let finish = finish() else { return }
        node.tree.enqueue(finish)
        node.tree.flush()
    }

    /// Silences the work at once.
    ///
    /// - Parameter isEnd: Whether the model has ended.
    /// - Returns: An action for the owner of the loop; nil if it has ended before.
    func finish(isEnd: Bool = false) -> (@Sendable () -> Void)? {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        forget()
        let (action, run) = state.withLock { ($0.onCancel.take(), $0.run.take()) }
        run?.cancel(isEnd: isEnd)
        return { [tree = node.tree, key] in
            // At the end of a store, its system cancels everything that runs.
            if !tree.isOver { tree.storage.cancel(key) }
            action?()
        }
    }

    private func forget() {
        node.tree.gate.withGate { node.extras?.tasks[number] = nil }
    }
}
