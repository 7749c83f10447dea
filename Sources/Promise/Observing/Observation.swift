/// A cancellable subscription to a promise. Releasing it does not cancel it.
@usableFromInline
package struct Observation: Sendable {
    let reference: StorageReference

    /// Stops observing: the handler is released and not called any more, and work without other observers is
    /// cancelled.
    @usableFromInline
    package func cancel() { reference.storage.cancel() }
}

extension Promise {
    /// Starts the promise and calls `handler` with every interim value that is reported from now on, and
    /// then, once, with the outcome. Leading interim values are not delivered: the caller has to emit them.
    ///
    /// - Parameter scheduler: What the chain inherits if this call starts it. It does not move the handler, which is
    ///   called on the thread that settles the promise.
    @usableFromInline
    package func observe(
        inheriting scheduler: (any SerialScheduler)? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Update<Value>) -> Void
    ) -> Observation {
        observe(inheriting: scheduler, for: nil, Origin(file, line), handler)
    }

    /// Like the other overload, on behalf of a promise that is being made.
    ///
    /// - Parameter target: That promise; it is to settle with what `handler` receives. If it would wait for itself,
    ///   `handler` receives ``PromiseError/resolvedWithItself``.
    func observe(
        inheriting scheduler: (any SerialScheduler)?, for target: PromiseStorage?, _ origin: Origin,
        _ handler: @escaping @Sendable (Update<Value>) -> Void
    ) -> Observation {
        let storage = derivedStorage(
            Void.self, Observer(run: handler), kind: .wantsInterims | .startedAndWaiting,
            origin: origin
        ) { storage, source, event in
            switch event {
            case .fire:
                storage.takeWork(as: Observer<Value>.self).run(
                    .outcome(storage.outcome(from: source, of: Value.self)))
                storage.fulfill(())
            case .interim:
                storage.borrowedWork(as: Observer<Value>.self).run(.interim(source.box(of: Value.self)))
            case .dispose, .release: break
            }
        }
        if storage.observeUpstream(on: scheduler, for: target) {
            handler(.outcome(.rejected(Failure(Rejection(PromiseError.resolvedWithItself, origin)))))
        }
        return Observation(reference: StorageReference(storage))
    }
}
