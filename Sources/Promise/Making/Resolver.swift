/// The producer's side of a promise: settles it and reports interim values.
///
/// The first settlement wins; later ones are no-ops and return `false`. A resolver can be copied, stored and
/// used from any thread. If its last copy is released before the promise is settled, the promise is rejected
/// with ``PromiseError/abandoned(_:)``, so a lost callback never leaves a consumer waiting.
///
/// Settling and reporting run the handlers on the calling thread before they return, except handlers that were
/// moved to a scheduler. Called inside a handler, they enqueue the handlers, which run after that handler has
/// returned. The cost is linear in the number of handlers and in the length of the chains below them. They do
/// not throw: an error thrown by a handler rejects the promise that attaching that handler returned.
public struct Resolver<Value: Sendable>: Sendable {
    @usableFromInline let handle: ResolverHandle

    @inlinable
    init(_ storage: PromiseStorage) { handle = ResolverHandle(StorageReference(storage)) }

    /// Fulfils the promise with `value`.
    ///
    /// - Returns: Whether this call settled the promise; false if it had been settled or cancelled before.
    @inlinable
    @discardableResult
    public func fulfill(_ value: Value) -> Bool { handle.reference.storage.fulfill(value) }

    /// Rejects the promise with `error`.
    ///
    /// - Returns: Whether this call settled the promise; false if it had been settled or cancelled before.
    @discardableResult
    public func reject(_ error: any Error) -> Bool {
        handle.reference.storage.reject(Rejection(error, handle.reference.storage.origin))
    }

    /// Settles the promise with the value or the error of `result`.
    ///
    /// - Returns: Whether this call settled the promise; false if it had been settled or cancelled before.
    @discardableResult
    public func resolve(_ result: Result<Value, any Error>) -> Bool {
        switch result {
        case .success(let value): fulfill(value)
        case .failure(let error): reject(error)
        }
    }

    package func resolve(_ outcome: Outcome<Value>) { handle.reference.storage.settle(outcome) }

    @discardableResult
    func report(_ box: ValueBox<Value>) -> Bool { handle.reference.storage.report(box) }

    /// Emits an interim value to the current observers, such as progress, a cached copy or an optimistic guess.
    ///
    /// - Returns: Whether the promise was still pending; otherwise this is a no-op.
    @discardableResult
    public func report(_ interim: Value) -> Bool { handle.reference.storage.report(value: interim) }

    /// Calls `body` once when the promise is cancelled, directly or with its last observer: stop the work there.
    ///
    /// If the promise has already been cancelled, `body` is called immediately. It runs on the cancelling thread,
    /// like the promise's other handlers. If the promise settles in any other way, `body` is released and never
    /// called.
    ///
    /// Do not capture the resolver in `body`: the promise retains `body` until it settles, so that copy would
    /// never be released and an abandoned promise would go undetected. The promise has settled when `body` runs,
    /// so a resolver would have no effect there.
    public func onCancel(_ body: @escaping @Sendable () -> Void) {
        let hook = PromiseStorage.make(
            Void.self, flags: .work | .startedAndWaiting,
            upstream: .passRetained(handle.reference.storage),
            origin: handle.reference.storage.origin, work: StoredClosure(body)
        ) { storage, source, event in
            guard case .fire = event else { return }
            let body = storage.takeWork(as: StoredClosure.self)
            if source.isCancelled { body.run() }
            storage.fulfill(())
        }
        hook.join()
    }

    /// Whether the promise has been fulfilled, rejected or cancelled.
    package var isSettled: Bool { handle.reference.storage.isClaimed }

    /// Whether the promise was cancelled, directly or with its last observer; false if it settled in any other way.
    public var isCancelled: Bool { handle.reference.storage.isCancelled }
}

/// Rejects the promise as abandoned when the last copy of its resolver is released.
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
