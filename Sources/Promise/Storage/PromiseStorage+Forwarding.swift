// Operations with exclusive access to the work: delivering an interim value, and taking the work of another storage.

extension PromiseStorage {
    /// Runs `body` with exclusive access to the payload, unless cancelled before; for the delivery of an interim value,
    /// which is never concurrent with firing. A cancellation that is requested meanwhile is completed afterwards.
    func borrowing(_ trampoline: Trampoline, _ body: () -> Void) {
        let before = insert(.borrowed)
        guard !before.contains(.claimed) else { return }
        body()
        let after = remove(.borrowed)
        if after.contains(.claimed) { finishCancelling(after, trampoline) }
    }

    /// Turns a storage that has fired into a waiting one again, with the step and flags of the promise that it
    /// forwards: it takes that promise's place downstream of `upstream`.
    ///
    /// So a promise that resolves to a promise that resolves to a promise… is one storage object, not a chain of them.
    func replaceWork(_ step: @escaping Step, kind: PromiseStorage.State, upstream: () -> PromiseStorage?) {
        let trampoline = Trampoline.current
        // If cancelled before, the promise to forward is left unchanged.
        guard !insert(.borrowed).contains(.claimed) else { return }
        put(upstream: upstream())
        headerPointer.pointee.step = step
        let fixed: State = .work | .wantsInterims
        remove(fixed | .inlineInput)
        insert(kind.intersection(fixed) | .hasScheduler)
        let after = remove(.fired | .waiting | .borrowed)
        if after.contains(.claimed) {
            finishCancelling(after.subtracting(.started | .waiting), trampoline)
        } else if kind.contains(.inlineInput) {
            begin(hop: false, trampoline)
        } else if startChain(on: scheduler, hop: false, trampoline, for: trampoline.waiting ?? self) {
            rejectCycle()
        }
        trampoline.finish()
    }

    /// Whether another storage may take over the work of this one: it is idle, and has no label that would be lost.
    var isAdoptable: Bool { !has(.started | .claimed | .hasLabel) }

    /// Takes the place of `other`, which is idle and uniquely referenced.
    func adopt(_ other: PromiseStorage) {
        let kind = other.state
        replaceWork(other.headerPointer.pointee.step, kind: kind) {
            // An inline input is not moved: `other` becomes the source that it is read from.
            takeWork(of: other)
            return kind.contains(.inlineInput) ? other : other.takeUpstream()
        }
    }

    /// Moves the work and the origin of `other`, which must be uniquely referenced, into this storage.
    func takeWork(of other: PromiseStorage) {
        headerPointer.pointee.origin = other.headerPointer.pointee.origin
        other.remove(.work)
        payload.copyMemory(from: other.payload, byteCount: MemoryLayout<() -> Void>.size)
    }
}
