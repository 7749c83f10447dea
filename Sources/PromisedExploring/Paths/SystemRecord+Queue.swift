internal import Promise
internal import Synchronization

// Uses of the queue of its system.
extension SystemRecord {
    @usableFromInline func usesQueue() {
        path.acts()
        queueUses.wrappingAdd(1, ordering: .relaxed)
    }

    /// Records that the queue is read or emptied.
    @usableFromInline func accessesQueue() {
        usesQueue()
        path.readsAnything()
    }

    /// Records a pending promise for the end of the queue.
    @usableFromInline func waitsForEnd() {
        accessesQueue()
        let joiner = path.currentJoiner
        pendingEnds.withLock { $0.append(joiner) }
    }

    /// Records that the pending promises are fulfilled.
    @usableFromInline func endsWaiting() {
        path.acts()
        pendingEnds.withLock { $0 = [] }
    }
}
