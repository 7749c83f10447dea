extension Promise {
    /// Creates a promise that is already rejected.
    ///
    /// - Parameter error: The error that every observer receives.
    public init(error: any Error, file: StaticString = #fileID, line: UInt = #line) {
        self.init(Rejection(error, Origin(file, line)))
    }

    /// Creates a copy of another promise; both share the same work and outcome.
    public init(_ other: Promise) { self = other }

    /// Creates a promise from work that settles a resolver.
    ///
    /// ```swift
    /// import Dispatch
    ///
    /// let tea = Promise { resolver in
    ///     DispatchQueue.global().async { resolver.fulfill("tea") }
    /// }
    /// ```
    ///
    /// - Parameter body: The work. It runs once, when the promise is first observed, on the observing thread
    ///   (``start(on:)`` moves it to a scheduler); a thrown error rejects the promise. If all copies of the
    ///   resolver are released before one settles the promise, it is rejected with
    ///   ``PromiseError/abandoned(_:)``.
    public init(
        _ body: @escaping @Sendable (Resolver<Value>) throws -> Void,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(origin: Origin(file, line), body)
    }

    private init(origin: Origin, _ body: @escaping @Sendable (Resolver<Value>) throws -> Void) {
        self.init(source: Handler(run: body), origin: origin) { storage, _, event in
            guard case .fire = event else { return storage.dispose(Value.self, on: event) }
            let body = storage.takeWork(as: Handler<Resolver<Value>>.self)
            let resolver = Resolver<Value>(storage)
            if hasChainObservers { Self.noteMaking(storage) }
            do { try body.run(resolver) } catch { resolver.reject(error) }
        }
    }

    /// Creates a promise whose work receives the scheduler of its chain.
    package init(
        origin: Origin, _ body: @escaping @Sendable (Resolver<Value>, any SerialScheduler) -> Void
    ) {
        self.init(source: ScheduledBody(run: body), origin: origin) { storage, _, event in
            guard case .fire = event else { return storage.dispose(Value.self, on: event) }
            storage.takeWork(as: ScheduledBody.self).run(Resolver(storage), storage.schedulerOfChain)
        }
    }

    private struct ScheduledBody: Sendable {
        let run: @Sendable (Resolver<Value>, any SerialScheduler) -> Void
    }

    private init<Work>(source work: Work, origin: Origin, step: @escaping PromiseStorage.Step) {
        let flags = .work | .hasScheduler | (origin.label == nil ? .noFlags : .hasLabel)
        self.init(
            storage: PromiseStorage.make(Value.self, flags: flags, origin: origin, work: work, step: step))
    }

    /// Creates a promise from work that settles a resolver, with a label for diagnostics.
    ///
    /// - Parameters:
    ///   - label: The name of the promise in reports, shown next to its source location: see ``Origin``.
    ///   - body: The work, as in ``init(_:file:line:)-((Resolver<Value>)->Void,_,_)``.
    public init(
        label: String, _ body: @escaping @Sendable (Resolver<Value>) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(origin: Origin(file, line, label: label), body)
    }

    /// Creates a promise from `async` work.
    ///
    /// - Parameter work: Runs once, in a task that is created when the promise is first observed, on the
    ///   scheduler of the chain; what it awaits runs where Swift puts it, so an actor that computes does not block the
    ///   scheduler. (With Swift 6.3, the compiler puts a closure with a capture list, such as `[weak self] in`, there
    ///   as a whole.) Chains that it starts run on the scheduler. Cancelling the promise, or its last observer, cancels
    ///   the task; if the task has not started by then, `work` is never called, and is released immediately. A thrown
    ///   error rejects the promise.
    public init(
        _ work: nonisolated(nonsending) @escaping @Sendable () async throws -> Value,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(origin: Origin(file, line), work)
    }

    /// Creates a promise from `async` work, with a label for diagnostics.
    ///
    /// - Parameters:
    ///   - label: The name of the promise in reports, shown next to its source location: see ``Origin``.
    ///   - work: Runs as a task, as in ``init(_:file:line:)-(()->Value,_,_)``.
    public init(
        label: String, _ work: nonisolated(nonsending) @escaping @Sendable () async throws -> Value,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(origin: Origin(file, line, label: label), work)
    }

    package init(
        origin: Origin, _ work: nonisolated(nonsending) @escaping @Sendable () async throws -> Value
    ) {
        self.init(origin: origin) { resolver, scheduler in
            let ended = scheduler.asyncWorkBegins(at: origin)
            // Taken out when the task starts or is cancelled: it may be enqueued behind other work for long.
            let work = Lock(Optional(AsyncWork(run: work)))
            let task = scheduler.startTask {
                do {
                    guard let work = work.exchange(for: nil) else { throw CancellationError() }
                    resolver.fulfill(try await work.run())
                } catch {
                    resolver.reject(error)
                }
                ended()
            }
            resolver.onCancel {
                work.exchange(for: nil)
                task.cancel()
            }
        }
    }

    private struct AsyncWork: Sendable {
        let run: nonisolated(nonsending) @Sendable () async throws -> Value
    }

    /// Creates a pending promise and the resolver that settles it, for code where the work does not fit into one
    /// closure.
    ///
    /// ```swift
    /// let (answer, resolver) = Promise<Int>.pending()
    /// answer.done { print($0) }
    /// resolver.fulfill(42)
    /// ```
    @inlinable @inline(__always)
    public static func pending(
        file: StaticString = #fileID, line: UInt = #line
    ) -> (promise: Promise, resolver: Resolver<Value>) { noted(Origin(file, line)) }

    /// Creates a pending promise and the resolver that settles it, with a label for diagnostics.
    ///
    /// - Parameter label: The name of the promise in reports, shown next to its source location: see ``Origin``.
    public static func pending(
        label: String, file: StaticString = #fileID, line: UInt = #line
    ) -> (promise: Promise, resolver: Resolver<Value>) { noted(Origin(file, line, label: label)) }

    /// Notes the making before the promise has owners, so that a program without an observer counts no reference more.
    @inlinable @inline(__always)
    static func noted(_ origin: Origin) -> (promise: Promise, resolver: Resolver<Value>) {
        let storage = resolvable(origin)
        if hasChainObservers { noteMaking(storage) }
        return (Promise(storage: storage), Resolver(storage))
    }

    /// Like ``pending(file:line:)``, for this package's own use: an exploration does not observe the promise.
    @inlinable @inline(__always)
    package static func pending(_ origin: Origin) -> (promise: Promise, resolver: Resolver<Value>) {
        let storage = resolvable(origin)
        return (Promise(storage: storage), Resolver(storage))
    }

    @inlinable @inline(__always)
    static func resolvable(_ origin: Origin) -> PromiseStorage {
        PromiseStorage.make(
            Value.self, flags: origin.label == nil ? .resolvable : .resolvable | .hasLabel, origin: origin,
            step: { storage, _, event in storage.dispose(Value.self, on: event) })
    }
}

extension Promise {
    @usableFromInline
    static func noteMaking(_ storage: PromiseStorage) {
        guard let observer = Trampoline.current.state.pointee.observer else { return }
        let reference = WeakStorageReference(storage)
        observer.made(StartedPromise(storage, nil)) {
            guard let storage = reference.storage, storage.isSettled else { return nil }
            if storage.isRejected { return .error(storage.rejection.error) }
            return .value(storage.box(of: Value.self).value)
        }
    }
}

extension PromiseStorage {
    /// The scheduler that the chain was started on, or that of the task that has started it; the shared background
    /// scheduler if there was none.
    @usableFromInline var schedulerOfChain: any SerialScheduler {
        scheduler ?? TaskScheduler.current ?? QueueScheduler.background
    }
}
