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
        let storage = derivedStorage(
            Void.self, Observer(run: handler), kind: .wantsInterims | .startedAndWaiting,
            origin: Origin(file, line)
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
        storage.observeUpstream(on: scheduler)
        return Observation(reference: StorageReference(storage))
    }
}
