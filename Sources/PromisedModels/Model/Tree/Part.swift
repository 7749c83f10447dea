public import PromisedSystem

internal import Promise

/// A property of a model's state that is observed: by subscribers, or by readers inside of `withObservationTracking`.
///
/// It does not know the type of its value, so that no generic code is run to notify an observer: what depends on the
/// type is in closures, which are made where it is known. Unchecked because of the fields under "Gated".
@usableFromInline
final class Part: @unchecked Sendable {
    @usableFromInline let path: PathPart
    /// The slot whose models are observed; nil if it is a value.
    @usableFromInline let slot: Int?
    @usableFromInline let node: AnyNode
    /// Whether its observers are a part of the store's logic, to which an override is not shown.
    @usableFromInline let isOfLogic: Bool
    /// Its place in the state; nil if it is computed, so that any write may change it.
    @usableFromInline let bytes: Range<Int>?
    /// The last value that observers have got: an `OwnedValue`.
    @usableFromInline let value: any AnyObject & Sendable
    @usableFromInline let storePresent: () -> Void
    /// Stores the present value, if it is unequal to the last one.
    @usableFromInline let storeChange: () -> Bool
    @usableFromInline let deliver: @Sendable () -> Void
    @usableFromInline let hasSubscribers: () -> Bool
    @usableFromInline let finish: () -> Void

    // MARK: Gated

    /// Whether it is one of its node's, so that each change of its value is stored.
    private var isAdded = false
    /// The number of subscriptions that are being made.
    private var pins = 0
    /// Its tracked readers; nil before the first.
    private var readers: TrackedReaders?
    /// Whether there are readers that were not notified of a change yet.
    private var areReadersWaiting = false
    /// Whether one of them is on the main thread.
    private var areReadersOnMain = false

    @inlinable
    init<Value: Sendable>(
        _ node: AnyNode, _ path: PathPart, slot: Int? = nil, _ bytes: Range<Int>?, isOfLogic: Bool = false,
        _ areEqual: @escaping @Sendable (Value, Value) -> Bool, present read: @escaping @Sendable () -> Value
    ) {
        let value = OwnedValue<Value>()
        self.isOfLogic = isOfLogic
        let tree = node.tree
        // Whoever has written, its observers decide what they see.
        let present = { @Sendable in
            guard tree.memory.isOverridden else { return read() }
            return isOfLogic ? tree.asLogic(read) : StoreAccess.asReader(read)
        }
        (self.node, self.path, self.slot, self.bytes, self.value) = (node, path, slot, bytes, value)
        storePresent = { value.set(present()) }
        storeChange = {
            let next = present()
            if let last = value.present, areEqual(last, next) { return false }
            value.stage(next)
            return true
        }
        deliver = { value.deliverNext() }
        hasSubscribers = { value.hasSubscribers }
        finish = {
            if value.present == nil { value.set(present()) }
            value.finish()
        }
    }

    func isTouched(by written: Range<Int>?) -> Bool {
        guard let bytes, let written else { return true }
        return bytes.overlaps(written)
    }

    // MARK: Observing

    /// Adds the reader that the caller is, until the next change. Called with the gate.
    @usableFromInline
    func track() {
        guard node.isActive else { return }
        begin()
        let readers = readers ?? TrackedReaders()
        self.readers = readers
        readers.add()
        areReadersWaiting = true
        if !areReadersOnMain { areReadersOnMain = MainScheduler.main.isCurrent }
    }

    /// The source of the property. Its present value is read from the store.
    @inlinable
    func source<Value: Sendable>(_ present: @escaping @Sendable () -> Value) -> Source<Value> {
        var source = unsafeDowncast(value, to: OwnedValue<Value>.self).source(present)
        source.attach = { [self, attach = source.attach] replayCurrent, body, onEnd in
            pin()
            defer { unpin() }
            return attach(replayCurrent, body, onEnd)
        }
        return source
    }

    /// Has the present value compared with every later one from now on.
    @usableFromInline
    func pin() {
        let isOver = node.tree.gate.withGate {
            guard node.isActive else { return true }
            begin()
            pins += 1
            return false
        }
        if isOver { end() }
    }

    @usableFromInline
    func unpin() { node.tree.gate.withGate { pins -= 1 } }

    /// Adds the part to its node, and stores the present value. In a transaction, what others see is stored: that may
    /// not be kept.
    private func begin() {
        if isAdded { return }
        isAdded = true
        let (tree, ignoredDraft) = (node.tree, node.tree.memory.ignoresDraft)
        tree.memory.ignoresDraft = true
        storePresent()
        tree.memory.ignoresDraft = ignoredDraft
        node.needed.parts.append(self)
        tree.observed[node.number] = node
    }

    // MARK: Notifying

    private var isObserved: Bool { areReadersWaiting || pins > 0 || hasSubscribers() }

    /// Compares the present value with the last; removes the part from its node if it has no observers. Called with the
    /// gate after a write.
    ///
    /// - Returns: What notifies the observers of a change.
    func capture() -> (@Sendable () -> Void)? {
        guard isObserved else {
            forget()
            return nil
        }
        guard storeChange() else { return nil }
        guard let readers, areReadersWaiting else { return deliver }
        let areOnMain = areReadersOnMain
        (areReadersWaiting, areReadersOnMain) = (false, false)
        return { [self] in
            deliver()
            readers.notify()
            guard areOnMain else { return }
            readers.notifyLate { [self] in node.tree.gate.withGate { areReadersWaiting } }
        }
    }

    func end() { finish() }

    private func forget() {
        guard let extras = node.extras else { return }
        isAdded = false
        extras.parts.removeAll { $0 === self }
        if extras.parts.isEmpty { node.tree.observed[node.number] = nil }
    }
}
