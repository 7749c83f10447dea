extension Promise {
    fileprivate func knownOutcome() -> Outcome<Value>? {
        switch storage {
        case .word(let word): .fulfilled(ValueBox(content: .word(word)))
        case .rejected(let rejection): .rejected(Failure(rejection))
        case .cell: nil
        }
    }

    /// The object of a promise that is about to be followed, so that nobody but the follower refers to it.
    fileprivate consuming func intoCell(_ origin: Origin) -> Cell { cell(origin) }
}

extension Cell {
    /// Settles as `next` does, now or later. The cell has fired.
    @inlinable
    func follow<Value: Sendable>(_ next: consuming Promise<Value>) {
        if case .word(let word) = next.storage, next.leads == nil {
            fulfill(ValueBox<Value>(content: .word(word)))
        } else {
            followWork(next)
        }
    }

    @usableFromInline
    func followWork<Value: Sendable>(_ next: consuming Promise<Value>) {
        for lead in next.leadingBoxes { _ = report(lead) }
        if let outcome = next.knownOutcome() { return settle(outcome) }
        follow(next.intoCell(origin), Value.self)
    }

    private func follow<Value: Sendable>(_ next: consuming Cell, _: Value.Type) {
        if next === self {
            reject(Rejection(PromiseError.resolvedWithItself, origin))
        } else if next.isSettled {
            settle(next.outcome(of: Value.self))
        } else if isKnownUniquelyReferenced(&next), next.isAdoptable {
            // Nobody else can observe it: its place is taken rather than another link put in front of it.
            adopt(next)
        } else {
            become(Self.forwarding(Value.self), kind: Flags.listens) { next }
        }
    }

    private static func forwarding<Value: Sendable>(_: Value.Type) -> Step {
        { cell, source, verb in
            switch verb {
            case .fire: cell.settle(source.outcome(of: Value.self))
            case .interim: _ = cell.report(source.box(of: Value.self))
            case .dispose: cell.dispose(Value.self)
            case .release: break
            }
        }
    }
}
