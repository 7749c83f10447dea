public import PromisedSystem
public import Synchronization

internal import Promise

// What follows from a write for those who observe it.
extension Node {
    /// Called with the gate after a write.
    @inlinable
    func didWrite(_ bytes: Range<Int>?, _ origin: Origin, _ path: @autoclosure () -> PathPart?) {
        if tree.isDrafting.load(ordering: .relaxed) { return tree.drafted.append((self, bytes)) }
        if tree.needsNotice { tree.enqueueNotice(change(of: path()), origin) }
        if tree.isObserved { tree.notify(of: [(self, bytes)]) }
    }

    @usableFromInline
    func change(of path: PathPart?) -> ModelChange {
        ModelChange(model: name, place: placeText, property: path?.name ?? "")
    }
}

extension AnyNode {
    /// Where the node is in its store, as `rows[2].counter`.
    final var placeText: String {
        lineage.reversed().dropFirst().map { $0.parent?.slotText($0.slot, $0.index) ?? "" }
            .joined(separator: ".")
    }

    /// The parts that a write may have changed: of the node itself, of those above it, and of those below what was
    /// written.
    fileprivate final func parts(touchedBy bytes: Range<Int>?) -> [AnyPart] {
        var parts = extras?.parts.filter { $0.isTouched(by: bytes) } ?? []
        var (node, next) = (self as AnyNode, parent)
        while let parent = next {
            if let observed = parent.extras?.parts, !observed.isEmpty {
                let slot = parent.bytes(ofSlot: node.slot)
                parts += observed.filter { $0.isTouched(by: slot) }
            }
            (node, next) = (parent, parent.parent)
        }
        if writesBelow(bytes) {
            for other in tree.observed.values.sorted(by: { $0.number < $1.number }) where other.isBelow(self)
            {
                parts += other.extras?.parts ?? []
            }
        }
        return parts
    }
}

extension Tree {
    @inlinable var isObserved: Bool { !observed.isEmpty || !watchers.isEmpty }

    /// Notifies the observers of parts that have become unequal. Called with the gate.
    @usableFromInline
    func notify(of writes: [Write]) {
        var seen: Set<ObjectIdentifier> = []
        for watcher in watchers.values { enqueue { watcher.yield() } }
        isDeriving = true
        defer { isDeriving = false }
        for (node, bytes) in writes {
            for part in node.parts(touchedBy: bytes) where seen.insert(ObjectIdentifier(part)).inserted {
                if part.isObserved {
                    if let delivery = part.capture() { enqueue(delivery) }
                } else {
                    part.forget()
                }
            }
        }
    }

    /// Has those notified that are notified of every write.
    @usableFromInline
    func enqueueNotice(_ change: ModelChange, _ origin: Origin) {
        needsNotice = false
        enqueue(storage.notice(change, origin))
    }

    /// Releases the gate, and has everything performed that follows from the writes.
    @inlinable
    func releaseGate() {
        gate.release()
        flush()
    }
}
