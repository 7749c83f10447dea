/// The end of a promise that settles it.
///
/// The first settlement wins; later ones do nothing and return `false`. A resolver can be copied, kept and
/// used from any thread. When its last copy goes away and none has settled the promise, the promise is
/// rejected with ``PromiseError/abandoned(_:)``, so a forgotten callback hangs nobody.
///
/// Settling and reporting run the handlers on the calling thread before they return, those that another
/// scheduler does not take; inside a handler, when that has returned. So their cost is linear in the number of
/// handlers and in the length of the chains below them. They throw nothing: what a handler throws rejects the
/// promise that it belongs to.
public struct Resolver<Value: Sendable>: Sendable {
    @usableFromInline let handle: ResolverHandle

    @inlinable
    init(_ storage: PromiseStorage) { handle = ResolverHandle(StorageReference(storage)) }

    /// Fulfils the promise with `value`.
    ///
    /// - Returns: Whether this call settled it.
    @inlinable
    @discardableResult
    public func fulfill(_ value: Value) -> Bool { handle.reference.storage.fulfill(value) }

    /// Rejects the promise with `error`.
    ///
    /// - Returns: Whether this call settled it.
    @discardableResult
    public func reject(_ error: any Error) -> Bool {
        handle.reference.storage.reject(Rejection(error, handle.reference.storage.origin))
    }

    /// Settles the promise with what `result` holds.
    ///
    /// - Returns: Whether this call settled it.
    @discardableResult
    public func resolve(_ result: Result<Value, any Error>) -> Bool {
        switch result {
        case .success(let value): fulfill(value)
        case .failure(let error): reject(error)
        }
    }

    @inlinable
    package func resolve(_ outcome: Outcome<Value>) { handle.reference.storage.settle(outcome) }

    @discardableResult
    func report(_ box: ValueBox<Value>) -> Bool { handle.reference.storage.report(box) }

    /// Shows observers an interim value: progress, a cached copy, an optimistic guess.
    ///
    /// - Returns: Whether the promise was still pending; afterwards this does nothing.
    @inlinable
    @discardableResult
    public func report(_ interim: Value) -> Bool { handle.reference.storage.report(value: interim) }

    /// Runs `body` once if the promise is cancelled, or nobody is interested in it any more: stop the work
    /// here. At once when that has happened already.
    ///
    /// It runs on the thread that cancels, as the promise's other handlers do. When the promise is settled
    /// in another way, `body` is let go of and never runs.
    ///
    /// Do not capture the resolver in `body`: the promise keeps `body` until it settles, so that copy would
    /// never go away and a forgotten callback would go unnoticed. There is nothing left to settle there anyway.
    public func onCancel(_ body: @escaping @Sendable () -> Void) {
        let hook = PromiseStorage.make(
            Void.self, flags: Flags.work | Flags.uninterested | Flags.startedAndWaiting,
            upstream: handle.reference.storage,
            origin: handle.reference.storage.origin, work: Action(body)
        ) { storage, source, verb in
            guard case .fire = verb else { return }
            let body = storage.takeWork(as: Action.self)
            if source.isCancelled { body.run() }
            storage.fulfill(())
        }
        hook.join()
    }

    /// Whether the promise has been settled, in whatever way.
    package var isSettled: Bool { handle.reference.storage.isClaimed }

    /// Whether the promise was cancelled, or nobody is interested in it any more.
    public var isCancelled: Bool { handle.reference.storage.isCancelled }
}

/// Counts the copies of a resolver.
@usableFromInline
final class ResolverHandle: Sendable {
    @usableFromInline let reference: StorageReference

    @usableFromInline
    init(_ reference: StorageReference) { self.reference = reference }

    deinit {
        guard !reference.storage.isClaimed else { return }
        let storage = reference.storage
        storage.reject(Rejection(PromiseError.abandoned(storage.origin), storage.origin))
    }
}
