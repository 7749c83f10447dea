internal import PromisedSystem

internal import Promise

extension Model {
    /// Starts work that is cancelled when the model ends.
    ///
    /// ```swift
    /// struct Page: Model {
    ///     struct State: Equatable { var text = "", alert: String? }
    ///     let context: ModelContext<Page>
    ///     private var state: ModelState<Self> { context.state }
    ///     let load: @Sendable () async throws -> String = { "text" }
    ///
    ///     init(context: ModelContext<Page>) { self.context = context }
    ///
    ///     func appeared() {
    ///         task {
    ///             state.text = try await load()
    ///         } catch: { error in
    ///             state.alert = "\(error)"
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// The task runs on the store's scheduler, and has the cancellation and notification contexts of the caller.
    /// Started by a model whose state was removed it does nothing, which is reported.
    ///
    /// A model that was taken from a ``Store`` keeps the store, and so does a task whose closure uses the model, for as
    /// long as it runs. Begin a task without an end in `onActivate`, whose model does not keep its store.
    ///
    /// - Parameters:
    ///   - body: The work.
    ///   - handler: Called with an error that `body` throws, unless it was cancelled. Without it, the error is reported
    ///     to `PromiseDiagnostics`.
    /// - Returns: A handle to cancel it earlier.
    @discardableResult
    public func task(
        file: StaticString = #fileID, line: UInt = #line,
        _ body: nonisolated(nonsending) @escaping @Sendable () async throws -> Void,
        catch handler: (@Sendable (any Error) -> Void)? = nil
    ) -> Cancellable {
        let node = context.node
        guard let task = node.addTask(at: Origin(file, line)) else { return Cancellable(task: nil) }
        task.setAtWork(true)
        let (keys, notification) = (CancellationKeys.current, NotificationContext.current)
        node.tree.enqueue {
            task.begin { run in
                try await run.withContexts(keys, notification) {
                    try await handling(handler, of: task, body)
                }
            }
        }
        node.tree.flush()
        return Cancellable(task: task)
    }

    /// Calls a closure when the model ends, or when the handle is cancelled: once. If the model has ended already, the
    /// closure is called at once.
    ///
    /// - Parameter action: Called on the store's scheduler, or on the thread that releases the store.
    @discardableResult
    public func onCancel(
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable () -> Void
    ) -> Cancellable {
        let task = context.node.addTask(at: Origin(file, line), isHook: true, action)
        if task == nil { action() }
        return Cancellable(task: task)
    }

    /// Cancels what this model has begun under a key. It does not concern other models, those below included.
    public func cancelAll(for key: some Hashable & Sendable) { context.node.cancel(EffectKey(key)) }

    /// Cancels what this model has begun under a type.
    public func cancelAll<Key>(for key: Key.Type) { context.node.cancel(EffectKey(ObjectIdentifier(key))) }

    /// Gives a key to everything that is begun inside of a closure, also in tasks that are started there. Contexts can
    /// be nested: all keys apply.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - body: Called at once, on the calling thread.
    @discardableResult
    public func withCancellationContext<Result>(
        for key: some Hashable & Sendable, _ body: () throws -> Result
    ) rethrows -> Result {
        try CancellationKeys.$current.withValue(CancellationKeys.current + [EffectKey(key)], operation: body)
    }

    /// Gives a type as a key to everything that is begun inside of a closure, which is called at once.
    @discardableResult
    public func withCancellationContext<Key, Result>(
        for key: Key.Type, _ body: () throws -> Result
    ) rethrows -> Result {
        try withCancellationContext(for: EffectKey(ObjectIdentifier(key)), body)
    }

    /// Gives a key to everything that is begun inside of an asynchronous closure, which is called at once, where the
    /// caller runs.
    @discardableResult
    public func withCancellationContext<Result: Sendable>(
        for key: some Hashable & Sendable, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await CancellationKeys.$current.withValue(
            CancellationKeys.current + [EffectKey(key)], operation: body)
    }

    /// Gives a type as a key to everything that is begun inside of an asynchronous closure, which is called at once,
    /// where the caller runs.
    @discardableResult
    public func withCancellationContext<Key, Result: Sendable>(
        for key: Key.Type, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await withCancellationContext(for: EffectKey(ObjectIdentifier(key)), body)
    }
}

extension TaskRun {
    /// Runs the work of a task with the contexts in which it was begun, where the caller runs.
    fileprivate nonisolated(nonsending) func withContexts(
        _ keys: [EffectKey], _ notification: NotificationContext?,
        _ work: nonisolated(nonsending) @Sendable () async throws -> Void
    ) async throws {
        try await inContexts(keys, notification, work)
    }

    // The captures of `isolation` isolate the closures, which would otherwise leave the scheduler.
    private func inContexts(
        _ keys: [EffectKey], _ notification: NotificationContext?,
        _ work: nonisolated(nonsending) @Sendable () async throws -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await CancellationKeys.$current.withValue(keys) {
            _ = isolation
            try await NotificationContext.$current.withValue(notification) {
                _ = isolation
                try await self(work)
            }
        }
    }
}

/// Runs a closure, and passes what it throws to a handler, unless the task was cancelled.
private nonisolated(nonsending) func handling(
    _ handler: (@Sendable (any Error) -> Void)?, of task: ModelTask,
    _ body: nonisolated(nonsending) @Sendable () async throws -> Void
) async throws {
    do {
        try await body()
    } catch {
        guard let handler, !task.isCancelled else { throw error }
        handler(error)
    }
}
