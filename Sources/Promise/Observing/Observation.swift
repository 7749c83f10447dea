/// Somebody's interest in a promise, to be withdrawn.
@usableFromInline
package struct Observation: Sendable {
    let reference: StorageReference

    /// Withdraws the interest: the handler is let go of and not called any more, and the work that nobody
    /// else wants is cancelled.
    @usableFromInline
    package func cancel() { reference.storage.cancel() }
}

extension Promise {
    /// Starts the promise and calls `handler` with every interim value that is reported from now on, and
    /// then, once, with the outcome. The leading values are the caller's to show.
    @usableFromInline
    package func observe(
        on scheduler: (any SerialScheduler)? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Update<Value>) -> Void
    ) -> Observation {
        let handled = derive(
            Void.self, Observer(run: handler), kind: Flags.wantsInterims | Flags.startedAndWaiting,
            origin: Origin(file, line)
        ) { storage, source, verb in
            switch verb {
            case .fire:
                storage.takeWork(as: Observer<Update<Value>>.self).run(
                    .outcome(storage.outcome(from: source, of: Value.self)))
                storage.fulfill(())
            case .interim:
                storage.borrowedWork(as: Observer<Update<Value>>.self).run(
                    .interim(source.box(of: Value.self)))
            case .dispose, .release: break
            }
        }
        let storage = handled.storage(Origin(file, line))
        storage.observeUpstream(on: scheduler)
        return Observation(reference: StorageReference(storage))
    }
}

// A closure as a field is stored as it is; as a generic value it would be wrapped in another.

struct Observer<Input>: Sendable {
    let run: @Sendable (Input) -> Void
}

@usableFromInline
struct Continuation<Input, Output: Sendable>: Sendable {
    @usableFromInline let run: @Sendable (Input) throws -> Promise<Output>

    @inlinable
    init(run: @escaping @Sendable (Input) throws -> Promise<Output>) { self.run = run }
}

@usableFromInline
struct Handler<Input>: Sendable {
    @usableFromInline let run: @Sendable (Input) throws -> Void

    @inlinable
    init(run: @escaping @Sendable (Input) throws -> Void) { self.run = run }
}
