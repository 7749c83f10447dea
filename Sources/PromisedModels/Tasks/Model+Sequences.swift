internal import PromisedSystem

internal import Promise

extension Model {
    /// Handles the elements of a sequence, until it or the model ends. Begin one that has no end in `onActivate`: see
    /// ``task(file:line:_:catch:)``.
    ///
    /// ```swift
    /// struct Prime: Model {
    ///     struct State: Equatable { var count = 0, isPrime: Bool? }
    ///     let context: ModelContext<Prime>
    ///     private var state: ModelState<Self> { context.state }
    ///
    ///     func onActivate() {
    ///         forEach(values(of: \.count), cancelPrevious: true) { count in
    ///             state.isPrime = nil
    ///             state.isPrime = try await isPrime(count)
    ///         }
    ///     }
    ///
    ///     private func isPrime(_ count: Int) async throws -> Bool {
    ///         count > 1 && !(2..<count).contains { count % $0 == 0 }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - sequence: It is iterated on the store's scheduler.
    ///   - cancelPrevious: Whether an element cancels the handling of the one before it. If not, an element waits until
    ///     the one before it was handled. The task ends when all have been handled.
    ///   - stopsOnError: Whether an error that `body` throws ends the iteration.
    ///   - body: Handles an element.
    ///   - handler: Called with each error that is not a cancellation. Without it, errors are reported to
    ///     `PromiseDiagnostics`.
    /// - Returns: A handle to end it earlier.
    @discardableResult
    public func forEach<Elements: AsyncSequence & Sendable>(
        _ sequence: Elements, cancelPrevious: Bool = false, stopsOnError: Bool = false,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: nonisolated(nonsending) @escaping @Sendable (Elements.Element) async throws -> Void,
        catch handler: (@Sendable (any Error) -> Void)? = nil
    ) -> Cancellable where Elements.Element: Sendable {
        let origin = Origin(file, line)
        let handle =
            handler ?? { error in
                PromiseDiagnostics.report(.init(problem: SystemProblem.failedEffect(error), origin: origin))
            }
        let elements = ElementHandling(
            scheduler: context.node.tree.scheduler, stopsOnError: stopsOnError, body: body, handle: handle)
        return task(
            file: file, line: line,
            {
                ModelTask.current?.setHandlesSequence()
                if cancelPrevious {
                    try await elements.handleLatest(of: sequence)
                } else {
                    let task = ModelTask.current
                    task?.setAtWork(false)
                    for try await element in sequence {
                        task?.setAtWork(true)
                        try await elements.handle(element)
                        task?.setAtWork(false)
                    }
                }
            }, catch: stopsOnError || handler != nil ? handle : nil)
    }

    /// Starts work for the present value of a property, and again for each later one, which cancels the work for the
    /// one before.
    ///
    /// - Parameters:
    ///   - path: The property. Of changes in quick succession, work may be started for the last one only.
    ///   - body: The work.
    ///   - handler: Called with each error that is not a cancellation. Without it, errors are reported to
    ///     `PromiseDiagnostics`.
    /// - Returns: A handle to end it earlier.
    @discardableResult
    public func task<Value: Equatable & Sendable>(
        id path: any KeyPath<State, Value> & Sendable, file: StaticString = #fileID, line: UInt = #line,
        _ body: nonisolated(nonsending) @escaping @Sendable (Value) async throws -> Void,
        catch handler: (@Sendable (any Error) -> Void)? = nil
    ) -> Cancellable {
        forEach(
            values(of: path, delivery: .latest), cancelPrevious: true, file: file, line: line, body,
            catch: handler)
    }

    /// Waits until a condition is true. It returns at once if it is true now.
    ///
    /// It does not end with the model, but with the task that waits, or with the store: called in a task that the model
    /// has begun, it ends with the model as well.
    ///
    /// - Parameter condition: Evaluated by the task that waits, where that task runs: at first, and after writes to the
    ///   store, whatever they have changed. Writes in quick succession may be evaluated as one, so a condition that
    ///   is true only in between is missed.
    /// - Throws: A `CancellationError` if the task is cancelled, or the store released. A model that was taken from a
    ///   `Store` keeps that while it waits.
    public func waitUntil(_ condition: @escaping @autoclosure @Sendable () -> Bool) async throws {
        for await _ in context.node.tree.writes {
            if condition() { return }
        }
        throw CancellationError()
    }
}

/// How the elements of a sequence are handled.
private struct ElementHandling<Element: Sendable>: Sendable {
    let scheduler: any SerialScheduler
    let stopsOnError: Bool
    let body: nonisolated(nonsending) @Sendable (Element) async throws -> Void
    let handle: @Sendable (any Error) -> Void

    nonisolated(nonsending) func handle(_ element: Element) async throws {
        // The task itself is cancelled only on the scheduler.
        if TaskRun.current?.isSilent ?? false { throw CancellationError() }
        do {
            try await body(element)
        } catch {
            try Task.checkCancellation()
            if TaskRun.current?.isSilent ?? false { throw CancellationError() }
            if stopsOnError { throw error }
            handle(error)
        }
    }

    /// Handles each element in a task, which the next element cancels.
    ///
    /// All of them are finished before this returns, also if the sequence has failed.
    nonisolated(nonsending) func handleLatest<Elements: AsyncSequence & Sendable>(
        of sequence: Elements
    ) async throws where Elements.Element == Element {
        guard let outer = TaskRun.current else { return }
        let scheduler = scheduler.ofCaller
        let (whole, latest) = (outer.task, Lock(Latest()))
        whole.setAtWork(false)
        let iteration = scheduler.startTask {
            for try await element in sequence {
                try Task.checkCancellation()
                latest.withLock { $0.setRunning(+1, whole) }
                let (previous, run) = (latest.withLock { $0.running }, TaskRun(whole, in: outer))
                // First, so that what it does when it is cancelled comes before the new one begins.
                previous?.run.cancel()
                previous?.task.cancel()
                let task = scheduler.startTask {
                    do {
                        try await run { try await handle(element) }
                    } catch {
                        if !Task.isCancelled { latest.withLock { $0.fail(error) } }
                    }
                    latest.withLock { $0.setRunning(-1, whole) }
                    // A handler that ignores its cancellation may take longer.
                    _ = await previous?.task.result
                }
                if latest.withLock({ $0.isOver(beginning: (task, run)) }) { task.cancel() }
            }
        }
        latest.withLock { $0.began(iteration) }
        try await withTaskCancellationHandler {
            let result = await iteration.result
            _ = await latest.withLock({ $0.running })?.task.result
            if let error = latest.withLock({ $0.error }) { throw error }
            try result.get()
        } onCancel: {
            iteration.cancel()
            latest.withLock { $0.end() }?.task.cancel()
        }
    }

    /// The handling of the newest element.
    private struct Latest: Sendable {
        typealias Handling = (task: Task<Void, any Error>, run: TaskRun)

        /// The number of handlers that have not returned, cancelled ones included.
        private var count = 0
        /// The newest handler, which ends behind those before it.
        var running: Handling?
        var iteration: Task<Void, any Error>?
        var error: (any Error)?
        private var isOver = false

        mutating func setRunning(_ change: Int, _ whole: ModelTask) {
            count += change
            whole.setAtWork(count > 0)
        }

        /// - Returns: Whether the task has to be cancelled, because this has ended.
        mutating func isOver(beginning handling: Handling) -> Bool {
            running = handling
            return isOver
        }

        mutating func began(_ iteration: Task<Void, any Error>) {
            self.iteration = iteration
            // The first handler may have failed already.
            if error != nil { iteration.cancel() }
        }

        /// Ends the iteration because of an error of a handler.
        mutating func fail(_ failure: any Error) {
            error = error ?? failure
            iteration?.cancel()
        }

        mutating func end() -> Handling? {
            isOver = true
            return running
        }
    }
}
