extension Promise {
    fileprivate func knownOutcome() -> Outcome<Value>? {
        switch representation {
        case .word(let word): .fulfilled(ValueBox(content: .word(word)))
        case .rejected(let rejection): .rejected(Failure(rejection))
        case .storage: nil
        }
    }

    /// The object of a promise that is about to be followed, so that nobody but the follower refers to it.
    fileprivate consuming func intoStorage(_ origin: Origin) -> PromiseStorage { storage(origin) }
}

extension PromiseStorage {
    /// Settles as `next` does, now or later. The cell has fired.
    @inlinable
    func resolve<Value: Sendable>(_ next: consuming Promise<Value>) {
        if case .word(let word) = next.representation, next.leadingInterims == nil {
            fulfill(ValueBox<Value>(content: .word(word)))
        } else {
            resolveWithWork(next)
        }
    }

    @usableFromInline
    func resolveWithWork<Value: Sendable>(_ next: consuming Promise<Value>) {
        for leadingInterim in next.leadingBoxes { _ = report(leadingInterim) }
        if let outcome = next.knownOutcome() { return settle(outcome) }
        resolve(next.intoStorage(origin), Value.self)
    }

    private func resolve<Value: Sendable>(_ next: consuming PromiseStorage, _: Value.Type) {
        if next === self {
            reject(Rejection(PromiseError.resolvedWithItself, origin))
        } else if next.isSettled {
            settle(next.outcome(of: Value.self))
        } else if isKnownUniquelyReferenced(&next), next.isAdoptable {
            // Nobody else can observe it: its place is taken rather than another link put in front of it.
            adopt(next)
        } else {
            replaceWork(Self.forwarding(Value.self), kind: Flags.wantsInterims) { next }
        }
    }

    private static func forwarding<Value: Sendable>(_: Value.Type) -> Step {
        { storage, source, verb in
            switch verb {
            case .fire: storage.settle(source.outcome(of: Value.self))
            case .interim: _ = storage.report(source.box(of: Value.self))
            case .dispose: storage.dispose(Value.self)
            case .release: break
            }
        }
    }
}
