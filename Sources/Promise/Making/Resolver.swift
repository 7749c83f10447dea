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
    init(_ cell: Cell) { handle = ResolverHandle(Link(cell)) }

    /// Fulfils the promise with `value`.
    ///
    /// - Returns: Whether this call settled it.
    @inlinable
    @discardableResult
    public func fulfill(_ value: Value) -> Bool { handle.link.cell.fulfill(value) }

    /// Rejects the promise with `error`.
    ///
    /// - Returns: Whether this call settled it.
    @discardableResult
    public func reject(_ error: any Error) -> Bool {
        handle.link.cell.reject(Rejection(error, handle.link.cell.origin))
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
    package func resolve(_ outcome: Outcome<Value>) { handle.link.cell.settle(outcome) }

    @discardableResult
    func report(_ box: ValueBox<Value>) -> Bool { handle.link.cell.report(box) }

    /// Shows observers an interim value: progress, a cached copy, an optimistic guess.
    ///
    /// - Returns: Whether the promise was still pending; afterwards this does nothing.
    @inlinable
    @discardableResult
    public func report(_ interim: Value) -> Bool { handle.link.cell.report(value: interim) }

    /// Runs `body` once if the promise is cancelled, or nobody is interested in it any more: stop the work
    /// here. At once when that has happened already.
    ///
    /// It runs on the thread that cancels, as the promise's other handlers do. When the promise is settled
    /// in another way, `body` is let go of and never runs.
    ///
    /// Do not capture the resolver in `body`: the promise keeps `body` until it settles, so that copy would
    /// never go away and a forgotten callback would go unnoticed. There is nothing left to settle there anyway.
    public func onCancel(_ body: @escaping @Sendable () -> Void) {
        let hook = Cell.make(
            Void.self, flags: Flags.work | Flags.uninterested | Flags.fresh, upstream: handle.link.cell,
            origin: handle.link.cell.origin, work: Action(body)
        ) { cell, source, verb in
            guard case .fire = verb else { return }
            let body = cell.takeWork(as: Action.self)
            if source.isCancelled { body.run() }
            cell.fulfill(())
        }
        hook.join()
    }

    /// Whether the promise has been settled, in whatever way.
    package var isSettled: Bool { handle.link.cell.isClaimed }

    /// Whether the promise was cancelled, or nobody is interested in it any more.
    public var isCancelled: Bool { handle.link.cell.isCancelled }
}

/// Counts the copies of a resolver.
@usableFromInline
final class ResolverHandle: Sendable {
    @usableFromInline let link: Link

    @usableFromInline
    init(_ link: Link) { self.link = link }

    deinit {
        guard !link.cell.isClaimed else { return }
        let cell = link.cell
        cell.reject(Rejection(PromiseError.abandoned(cell.origin), cell.origin))
    }
}
