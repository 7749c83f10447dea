/// Somebody's interest in a promise, to be withdrawn.
@usableFromInline
package struct Observation: Sendable {
    let link: Link

    /// Withdraws the interest: the handler is let go of and not called any more, and the work that nobody
    /// else wants is cancelled.
    @usableFromInline
    package func cancel() { link.cell.cancel() }
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
            Void.self, Observer(run: handler), kind: Flags.listens | Flags.fresh, origin: Origin(file, line)
        ) { cell, source, verb in
            switch verb {
            case .fire:
                cell.takeWork(as: Observer<Update<Value>>.self).run(
                    .outcome(cell.outcome(from: source, of: Value.self)))
                cell.fulfill(())
            case .interim:
                cell.borrowedWork(as: Observer<Update<Value>>.self).run(
                    .interim(source.box(of: Value.self)))
            case .dispose, .release: break
            }
        }
        let cell = handled.cell(Origin(file, line))
        cell.listen(on: scheduler)
        return Observation(link: Link(cell))
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
