extension Promise {
    /// The storage of a promise that is about to be forwarded. It consumes the promise, so that the caller's reference
    /// can be the only one.
    fileprivate consuming func intoStorage() -> PromiseStorage { storage }
}

extension PromiseStorage {
    /// Settles with the outcome of `next`, immediately or later. The storage must have fired.
    @inlinable
    func resolve<Value: Sendable>(_ next: consuming Promise<Value>) {
        if next.reference == nil, next.leadingInterims == nil {
            _ = fulfill { put(inline: next.inlineValue) }
        } else {
            resolveWithWork(next)
        }
    }

    @usableFromInline
    func resolveWithWork<Value: Sendable>(_ next: consuming Promise<Value>) {
        next.forEachLeading { _ = report($0) }
        resolve(next.intoStorage(), Value.self)
    }

    private func resolve<Value: Sendable>(_ next: consuming PromiseStorage, _: Value.Type) {
        if next === self {
            reject(Rejection(PromiseError.resolvedWithItself, origin))
        } else if next.isSettled {
            Trampoline.noteJoining(next)
            settle(next.outcome(of: Value.self))
        } else if isKnownUniquelyReferenced(&next), next.isAdoptable {
            // No other observer exists: takes its place, rather than adding another link to the chain.
            adopt(next)
        } else {
            replaceWork(Self.forwarding(Value.self), kind: .wantsInterims) { next }
        }
    }

    private static func forwarding<Value: Sendable>(_: Value.Type) -> Step {
        { storage, source, event in
            guard case .fire = event else { return storage.relay(Value.self, from: source, on: event) }
            storage.settle(source.outcome(of: Value.self))
        }
    }
}
