public import PromisedSystem

internal import Promise

// The consequences of a write for its observers.
extension Node {
    /// Called with the gate after a write.
    @inlinable
    func didWrite(_ bytes: Range<Int>?, _ origin: Origin, _ path: @autoclosure () -> PathPart?) {
        if tree.memory.isDrafting { return tree.draft((self, bytes)) }
        if tree.memory.needsNotice { tree.enqueueNotice(change(of: path()), origin) }
        if tree.isObserved { tree.notify(of: (self, bytes)) }
    }

    @usableFromInline
    func change(of path: PathPart?) -> ModelChange {
        ModelChange(model: name, place: placeText, property: path?.name ?? "")
    }
}

extension AnyNode {
    /// Where the node is in its store, as `rows[2].counter`.
    final var placeText: String {
        lineage.reversed().dropFirst().map { $0.childPlace?.text($0.index) ?? "" }.joined(separator: ".")
    }

    /// Where it is in the state of its parent; nil at the root.
    final var childPlace: ChildPlace? { parent?.slots[slot].place }

    /// Whether a write to these bytes is one to the state of a child; nil for any bytes.
    @inlinable
    final func touchesSlots(_ bytes: Range<Int>?) -> Bool {
        !slots.isEmpty && slots.contains { $0.place?.isTouched(by: bytes) ?? true }
    }

    /// Visits the parts that a write may have changed: of the node itself, of those above it, and of those below what
    /// was written.
    fileprivate final func visitParts(touchedBy bytes: Range<Int>?, _ body: (Part) -> Void) {
        for part in extras?.parts ?? [] where part.isTouched(by: bytes) { body(part) }
        var (node, next) = (self as AnyNode, parent)
        while let parent = next {
            if let observed = parent.extras?.parts, !observed.isEmpty {
                let slot = node.childPlace?.bytes
                // Which models a slot has is changed by writes to the parent only.
                for part in observed where part.slot == nil && part.isTouched(by: slot) { body(part) }
            }
            (node, next) = (parent, parent.parent)
        }
        guard touchesSlots(bytes) else { return }
        for other in tree.observed.values.sorted(by: { $0.number < $1.number }) where other.isBelow(self) {
            for part in other.extras?.parts ?? [] { body(part) }
        }
    }
}

extension Tree {
    @inlinable var isObserved: Bool { !observed.isEmpty || !watchers.isEmpty }

    /// Notifies the observers of parts that have become unequal. Called with the gate.
    @usableFromInline
    func notify(of write: Write) {
        notifyWatchers()
        isDeriving = true
        defer { isDeriving = false }
        // No part is visited twice.
        let context = NotificationContext.current
        write.node.visitParts(touchedBy: write.bytes) { notify($0, in: context) }
    }

    /// The same for several writes, which are seen as one. A part is notified in the context of the last of them.
    func notify(of drafts: [Draft]) {
        notifyWatchers()
        isDeriving = true
        defer { isDeriving = false }
        var (parts, places): ([(part: Part, context: NotificationContext?)], [ObjectIdentifier: Int]) = (
            [], [:]
        )
        for (write, context) in drafts {
            write.node.visitParts(touchedBy: write.bytes) { part in
                if let known = places.updateValue(parts.count, forKey: ObjectIdentifier(part)) {
                    places[ObjectIdentifier(part)] = known
                    parts[known].context = context
                } else {
                    parts.append((part, context))
                }
            }
        }
        for (part, context) in parts { notify(part, in: context) }
    }

    func notify(_ parts: [Part]) {
        isDeriving = true
        defer { isDeriving = false }
        let context = NotificationContext.current
        for part in parts { notify(part, in: context) }
    }

    /// Adds an element to the streams of writes.
    func notifyWatchers() {
        if watchers.isEmpty { return }
        for watcher in watchers.values { enqueue { watcher.yield() } }
    }

    private func notify(_ part: Part, in context: NotificationContext?) {
        if let delivery = part.capture() {
            enqueueNotification(delivery, in: context, isOfLogic: part.isOfLogic)
        }
    }

    /// Has the observers of records notified.
    @usableFromInline
    func enqueueNotice(_ change: ModelChange, _ origin: Origin) {
        memory.needsNotice = false
        enqueueNotification(storage.notice(change, origin))
    }

    /// Releases the gate, and has everything performed that follows from the writes.
    @inlinable
    func releaseGate() {
        gate.release()
        flush()
    }
}
