/// Somebody's interest in a promise, to be withdrawn.
package struct Observation: Sendable {
    let link: Link

    /// Withdraws the interest: the handler is let go of and not called any more, and the work that nobody
    /// else wants is cancelled.
    package func cancel() { link.cell.cancel() }
}

extension Promise {
    /// Starts the promise and calls `handler` with every interim value that is reported from now on, and
    /// then, once, with the outcome. The leading values are the caller's to show.
    package func observe(
        on scheduler: (any SerialScheduler)? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Update<Value>) -> Void
    ) -> Observation {
        let cell = Cell.make(
            Void.self, flags: Flags.work | Flags.listens, upstream: cell(Origin(file, line)),
            origin: Origin(file, line)
        ) { cell, source, verb in
            typealias Handler = @Sendable (Update<Value>) -> Void
            switch verb {
            case .fire:
                cell.takeWork(as: Handler.self)(.outcome(source.outcome(of: Value.self)))
                cell.fulfill(())
            case .interim: cell.borrowedWork(as: Handler.self)(.interim(source.value(as: Value.self)))
            case .dispose: break
            }
        }
        cell.put(work: handler)
        cell.start(on: scheduler)
        return Observation(link: Link(cell))
    }
}
