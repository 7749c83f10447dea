extension Promise {
    /// A promise that is fulfilled already.
    ///
    /// Nothing is allocated for a plain value of up to two words: a number, a small struct or enum of numbers. Any other
    /// lies in one object, however wide it is, which all copies of the promise share.
    @inlinable
    public static func value(_ value: Value) -> Promise { Promise(ValueBox(value)) }

    /// A promise that is rejected already.
    ///
    /// - Parameter error: What whoever observes it is told.
    @inlinable
    public init(error: any Error, file: StaticString = #fileID, line: UInt = #line) {
        self.init(representation: .rejected(Rejection(error, Origin(file, line))))
    }

    /// The same promise: both share their work and its outcome.
    @inlinable
    public init(_ other: Promise) { self = other }

    /// A promise made of work that calls back.
    ///
    /// ```swift
    /// import Dispatch
    ///
    /// let tea = Promise { resolver in
    ///     DispatchQueue.global().async { resolver.fulfill("tea") }
    /// }
    /// ```
    ///
    /// - Parameter body: The work. It runs once, when the promise is first observed, on the thread that does
    ///   so (``start(on:)`` moves it); a throw rejects. If every copy of the resolver goes away before one
    ///   settles, the promise is rejected with ``PromiseError/abandoned(_:)``.
    @inlinable
    public init(
        _ body: @escaping @Sendable (Resolver<Value>) throws -> Void,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(source: Body(run: body), origin: Origin(file, line), step: Self.bodyStep)
    }

    @inlinable static var bodyStep: PromiseStorage.Step {
        { storage, _, verb in
            switch verb {
            case .fire:
                let body = storage.takeWork(as: Body.self)
                let resolver = Resolver<Value>(storage)
                do { try body.run(resolver) } catch { resolver.reject(error) }
            case .interim, .release: break
            case .dispose: storage.dispose(Value.self)
            }
        }
    }

    /// A promise whose work is told the scheduler of its chain.
    @inlinable
    package init(
        origin: Origin, _ body: @escaping @Sendable (Resolver<Value>, any SerialScheduler) -> Void
    ) {
        let label = origin.label == nil ? 0 : Flags.hasLabel
        self.init(source: ScheduledBody(run: body), kind: label, origin: origin) { storage, _, verb in
            switch verb {
            case .fire:
                storage.takeWork(as: ScheduledBody.self).run(
                    Resolver<Value>(storage), storage.schedulerOfChain)
            case .interim, .release: break
            case .dispose: storage.dispose(Value.self)
            }
        }
    }

    /// A closure as a field is stored as it is; as a generic value it would be wrapped in another.
    @usableFromInline
    struct Body: Sendable {
        @usableFromInline let run: @Sendable (Resolver<Value>) throws -> Void

        @inlinable
        init(run: @escaping @Sendable (Resolver<Value>) throws -> Void) { self.run = run }
    }

    @usableFromInline
    struct ScheduledBody: Sendable {
        @usableFromInline let run: @Sendable (Resolver<Value>, any SerialScheduler) -> Void

        @inlinable
        init(run: @escaping @Sendable (Resolver<Value>, any SerialScheduler) -> Void) { self.run = run }
    }

    @inlinable
    init<Work>(source work: Work, kind: UInt64 = 0, origin: Origin, step: @escaping PromiseStorage.Step) {
        self.init(
            storage: PromiseStorage.make(
                Value.self, flags: Flags.work | Flags.hasScheduler | kind, origin: origin, work: work,
                step: step))
    }

    /// A promise made of `async` work.
    ///
    /// - Parameter work: Runs as a task, once, when the promise is first observed, on the scheduler of
    ///   whoever does so. When nobody is interested in the promise any more, the task is cancelled; if its
    ///   turn has not come by then, `work` does not run at all. A throw rejects.
    public init(
        _ work: @escaping @Sendable () async throws -> Value, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(origin: Origin(file, line), work)
    }

    init(origin: Origin, _ work: @escaping @Sendable () async throws -> Value) {
        self.init(origin: origin) { resolver, scheduler in
            let ended = scheduler.asyncWorkBegins(at: origin)
            let task = Task(executorPreference: scheduler.taskExecutor) {
                do {
                    try Task.checkCancellation()
                    resolver.fulfill(try await work())
                } catch {
                    resolver.reject(error)
                }
                ended()
            }
            resolver.onCancel { task.cancel() }
        }
    }

    /// A promise together with the resolver that settles it, for callbacks that do not fit into a closure.
    ///
    /// ```swift
    /// let (answer, resolver) = Promise<Int>.pending()
    /// answer.done { print($0) }
    /// resolver.fulfill(42)
    /// ```
    @inlinable
    public static func pending(
        file: StaticString = #fileID, line: UInt = #line
    ) -> (promise: Promise, resolver: Resolver<Value>) {
        let storage = PromiseStorage.make(
            Value.self, flags: 0, origin: Origin(file, line),
            step: { storage, _, verb in if case .dispose = verb { storage.dispose(Value.self) } })
        return (Promise(storage: storage), Resolver(storage))
    }
}

extension PromiseStorage {
    /// The scheduler of whoever started the chain, else the one that all such chains share.
    @usableFromInline var schedulerOfChain: any SerialScheduler {
        scheduler ?? QueueScheduler.background
    }
}
