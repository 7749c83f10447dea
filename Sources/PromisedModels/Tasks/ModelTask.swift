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
    private let state = Lock(State())

    private struct State: Sendable {
        var keys: Set<EffectKey> = []
        var onCancel: (@Sendable () -> Void)?
    }

    /// The task that the caller is in.
    @TaskLocal static var current: ModelTask?

    init(_ node: AnyNode, number: Int, at origin: Origin, _ onCancel: (@Sendable () -> Void)? = nil) {
        (self.node, self.number, self.origin) = (node, number, origin)
        state.withLock { $0.onCancel = onCancel }
    }

    /// Identifies the running work in the store's system.
    private struct Key: Hashable, Sendable, CustomStringConvertible {
        let node: Int
        let number: Int
        let text: String

        var description: String { text }

        static func == (left: Key, right: Key) -> Bool {
            (left.node, left.number) == (right.node, right.number)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(node)
            hasher.combine(number)
        }
    }

    private var key: EffectKey {
        EffectKey(Key(node: node.number, number: number, text: "\(node.name), task at \(origin)"))
    }

    var isAtWork: Bool { hasWork.load(ordering: .relaxed) && !isCancelled }
    func setAtWork(_ isAtWork: Bool) { hasWork.store(isAtWork, ordering: .relaxed) }

    var isCancelled: Bool { isOver.load(ordering: .acquiring) }

    // MARK: Keys

    func add(_ key: EffectKey) { state.withLock { _ = $0.keys.insert(key) } }
    func has(_ key: EffectKey) -> Bool { state.withLock { $0.keys.contains(key) } }

    // MARK: Running

    /// Starts the work. Called by the owner of the loop.
    func begin(_ work: @escaping @Sendable () async throws -> Void) {
        guard !isCancelled, !node.tree.isOver else { return }
        let origin = origin
        node.tree.storage.begin(
            Effect { [self] effect in
                effect.onCancel { [self] in end() }
                effect.finish(
                    with: Promise(origin: origin) { [self] in
                        defer { end() }
                        do {
                            try await work()
                        } catch  where error is CancellationError || isCancelled {
                            // The end of the model, or of the task, is not a failure.
                        }
                    })
            }, key, origin)
    }

    /// Ends it by itself.
    func end() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        forget()
    }

    /// Cancels the work, and calls the hook. Further calls are no-ops.
    func cancel() {
        guard let finish = finish() else { return }
        node.tree.enqueue(finish)
        node.tree.flush()
    }

    /// The same for the owner of the loop: the hook has been called when this returns.
    func cancelAsOwner() { finish()?() }

    /// - Returns: What is to be done by the owner of the loop; nil if it has ended before.
    private func finish() -> (@Sendable () -> Void)? {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        forget()
        let action = state.withLock { $0.onCancel.take() }
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
            guard isActive, !tree.isOver else { return nil }
            let extras = needed
            extras.lastTask += 1
            let task = ModelTask(self, number: extras.lastTask, at: origin, onCancel)
            extras.tasks[task.number] = task
            for key in CancellationKeys.current { task.add(key) }
            return task
        }
        guard let task else {
            if !isHook, phase.load(ordering: .relaxed) != .activating {
                report(.taskOfRemovedState(of: name), at: origin)
            }
            return nil
        }
        return task
    }

    /// What was begun here under a key. Called with the gate.
    fileprivate final func tasks(for key: EffectKey) -> [ModelTask] {
        (extras?.tasks.values.filter { $0.has(key) } ?? []).sorted { $0.number < $1.number }
    }

    /// Cancels what was begun here under a key.
    final func cancel(_ key: EffectKey) {
        for task in tree.gate.withGate({ tasks(for: key) }) { task.cancel() }
    }
}

/// The keys of the cancellation contexts that the caller is in.
enum CancellationKeys {
    @TaskLocal static var current: [EffectKey] = []
}
