internal import Promise
internal import PromisedSystem
internal import Synchronization

/// A run of a user's code that can be cancelled: the work of a task, or the handling of one element of a sequence.
///
/// Code may ignore its cancellation, and go on when what it waits for arrives all the same. From the cancellation on,
/// it has no effect: see ``AnyNode/isSilenced``.
final class TaskRun: Sendable {
    let task: ModelTask
    private let parent: TaskRun?
    private let state = Atomic(RunState.running)

    private enum RunState: UInt8, AtomicRepresentable { case running, cancelled, ended }

    /// The run that the caller is in.
    @TaskLocal static var current: TaskRun?
    /// How many runs there are, and how many of them were cancelled, in all stores: a task may write to several.
    private static let count = Atomic(0)
    private static let cancelledCount = Atomic(0)

    init(_ task: ModelTask, in parent: TaskRun? = nil) {
        (self.task, self.parent) = (task, parent)
        Self.count.add(1, ordering: .relaxed)
    }

    deinit {
        Self.count.subtract(1, ordering: .relaxed)
        if state.load(ordering: .relaxed) != .running { Self.cancelledCount.subtract(1, ordering: .relaxed) }
    }

    /// - Parameter isEnd: Whether the model has ended, and not only what it had begun.
    func cancel(isEnd: Bool = false) {
        let new: RunState = isEnd ? .ended : .cancelled
        let isFirst = state.compareExchange(expected: .running, desired: new, ordering: .releasing).exchanged
        if isFirst { Self.cancelledCount.add(1, ordering: .relaxed) }
    }

    /// Whether it was cancelled.
    var isSilent: Bool { state.load(ordering: .acquiring) != .running || parent?.isSilent ?? false }

    /// Whether it has ended with its model.
    fileprivate var isEnded: Bool {
        state.load(ordering: .relaxed) == .ended || parent?.isEnded ?? false
    }

    /// Calls a closure that is no part of the run, such as a delivery.
    static func leaving<Result>(_ body: () -> Result) -> Result {
        // Asked first because it is faster.
        guard count.load(ordering: .relaxed) > 0, current != nil else { return body() }
        return $current.withValue(nil, operation: body)
    }

    /// Runs a closure as a part of the run, where the caller runs.
    nonisolated(nonsending) func callAsFunction(
        _ body: nonisolated(nonsending) @Sendable () async throws -> Void
    ) async throws { try await run(body) }

    // The capture of `isolation` isolates the closure, which would otherwise leave the scheduler.
    private func run(
        _ body: nonisolated(nonsending) @Sendable () async throws -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await Self.$current.withValue(self) {
            _ = isolation
            try await body()
        }
    }
}

extension TaskRun {
    /// Whether the caller is in work that was cancelled, and so has no effect. In debug builds it is reported, unless
    /// the work has ended with its model.
    fileprivate static func isSilenced(_ report: (ModelProblem, Origin) -> Void) -> Bool {
        guard cancelledCount.load(ordering: .relaxed) > 0, let run = current, run.isSilent else {
            return false
        }
        #if DEBUG
            if !run.isEnded { report(.cancelledTask(of: run.task.node.name), run.task.origin) }
        #endif
        return true
    }
}

extension AnyNode {
    /// Whether the caller is in work that was cancelled, or reads an override, and so changes nothing here.
    @usableFromInline final var isSilenced: Bool {
        tree.readsOverride || TaskRun.isSilenced { report($0, at: $1) }
    }
}

extension Tree {
    /// The same for a change of the store as a whole.
    var isSilenced: Bool { TaskRun.isSilenced { report($0, at: $1) } }
}

extension Model {
    /// Calls a closure that undoes what a task has done, also if the task was cancelled: what a cancelled task writes,
    /// sends or begins elsewhere is ignored.
    ///
    /// ```swift
    /// import PromisedModels
    ///
    /// struct Page: Model {
    ///     struct State: Equatable { var isLoading = false, text = "" }
    ///     let context: ModelContext<Page>
    ///     private var state: ModelState<Self> { context.state }
    ///
    ///     func load(_ fetch: @escaping @Sendable () async throws -> String) {
    ///         task {
    ///             state.isLoading = true
    ///             defer { cleanUp { state.isLoading = false } }
    ///             state.text = try await fetch()
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// A later task of the same model may run already: undo only the effects of this one.
    ///
    /// - Parameter body: Called at once. What it writes to a state that was removed with the model is ignored.
    @discardableResult
    public func cleanUp<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let run = TaskRun.current else { return try body() }
        // A run of its own, which is never cancelled.
        return try TaskRun.$current.withValue(TaskRun(run.task), operation: body)
    }
}
