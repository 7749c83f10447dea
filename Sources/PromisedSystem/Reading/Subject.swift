public import Promise
public import Synchronization

/// A changing value, its subscribers and its end; backs every source that a system does not own.
///
/// Values may be published from several threads. They are delivered one at a time and in one order, on the thread that
/// published the first of a burst: a value published during a delivery is queued, and delivered afterwards to the
/// subscribers at the time of its publication.
@usableFromInline
package final class Subject<Value: Sendable>: Sendable {
    @usableFromInline let contents = Lock(SubjectContents())
    /// The number of notifications that are enqueued or being delivered. Incremented under the lock.
    @usableFromInline let undelivered = Atomic(0)
    let closesWhenUnused: Bool

    /// - Parameter closesWhenUnused: Whether removing the last subscriber closes it and cancels its upstream
    ///   subscriptions.
    @usableFromInline
    package init(closesWhenUnused: Bool = false) { self.closesWhenUnused = closesWhenUnused }

    /// The latest value; nil before the first, and after it has closed.
    @inlinable package var present: Value? { contents.withLock { $0.present }?.value(as: Value.self) }

    /// Whether there is a value: false before the first, and after it has closed.
    var hasValue: Bool { contents.withLock { $0.present != nil } }

    @inlinable package var hasSubscribers: Bool { contents.withLock { !$0.table.isEmpty } }

    /// Whether there may be subscribers that have not been notified of the latest value yet.
    @usableFromInline var isNotifying: Bool { undelivered.load(ordering: .acquiring) > 0 }

    /// Whether an upstream source that only this subject knows may have a value that has not arrived here yet.
    var isBehind: Bool { contents.withLock { $0.isBehind }?() ?? false }

    /// Sets what ``isBehind`` asks; called once, before there are subscribers.
    func setBehind(_ isBehind: @escaping @Sendable () -> Bool) {
        contents.withLock { $0.isBehind = isBehind }
    }

    /// Retains the token of an upstream subscription until the subject ends or is closed; releasing the token ends that
    /// subscription. A no-op after the end.
    @usableFromInline
    func keep(_ token: SubscriptionToken) {
        contents.withLock { if !$0.isOver { $0.upstream.append(token) } }
    }

    // MARK: Publishing

    /// Stores a value as the present one and notifies the subscribers. A no-op after the end.
    ///
    /// - Parameter version: The version that the subject must still have; nil for any.
    /// - Returns: Whether it was stored.
    @inlinable @discardableResult
    package func publish(_ value: Value, ifStillAt version: Int? = nil) -> Bool {
        let (isStored, listeners) = store(UntypedBox(value), ifStillAt: version)
        // Not delivered from its box, which would copy it once more.
        guard let listeners else { return isStored }
        Listeners<Value>(listeners).notify(value)
        deliverPending()
        return true
    }

    /// Stores a value as the present one and notifies the subscribers. A no-op after the end.
    ///
    /// - Parameter next: Returns the value, or nil for no change. Called under the lock, so it must not call user code.
    func publish(_ next: () -> UntypedBox?) {
        var before: UntypedBox?
        let notification = contents.withLock { contents -> SubjectContents.Notification? in
            guard !contents.isOver, let box = next() else { return nil }
            return contents.setPresent(box, undelivered, &before).map { ($0, box) }
        }
        // Released here and not under the lock: a `deinit` may be re-entrant.
        withExtendedLifetime(before) {}
        if let notification { deliver(notification) }
    }

    @usableFromInline
    func store(
        _ box: UntypedBox, ifStillAt version: Int?
    ) -> (isStored: Bool, listeners: ListenerTable.Snapshot?) {
        var before: UntypedBox?
        let result = contents.withLock { contents -> (Bool, ListenerTable.Snapshot?) in
            if contents.isOver { return (false, nil) }
            if let version, version != contents.version { return (false, nil) }
            return (true, contents.setPresent(box, undelivered, &before))
        }
        withExtendedLifetime(before) {}
        return result
    }

    /// Changes the value: computes the next one under no lock, and again if one was published meanwhile.
    ///
    /// - Parameter body: Changes a copy of the value. It may be called several times.
    /// - Returns: The last result of `body`; nil if there is no value, and after the end.
    @inlinable
    package func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result? {
        while true {
            let (before, version) = contents.withLock { ($0.isOver ? nil : $0.present, $0.version) }
            guard var value = before?.value(as: Value.self) else { return nil }
            let result = try body(&value)
            if publish(value, ifStillAt: version) { return result }
        }
    }

    /// Stores a value as the present one, and enqueues its notification until ``deliverNext()``. A no-op after the end.
    ///
    /// Everything that is stored in this way must be delivered, by one thread at a time.
    @inlinable
    func stage(_ value: Value) { stage(UntypedBox(value)) }

    @usableFromInline
    func stage(_ box: UntypedBox) {
        let before = contents.withLock { contents -> UntypedBox? in
            guard !contents.isOver else { return nil }
            undelivered.wrappingAdd(1, ordering: .acquiringAndReleasing)
            contents.pending.append((contents.table.listeners, box))
            return contents.exchange(for: box)
        }
        withExtendedLifetime(before) {}
    }

    /// Delivers the first notification that was enqueued, and the end if that is the next one: nothing else would
    /// deliver it.
    @inlinable
    func deliverNext() {
        guard let next = contents.withLock({ $0.pending.popFirst() }) else { return }
        notify(next)
        if let end = nextAfterDelivery(onlyEnd: true) { deliver(end) }
    }

    /// Notifies the subscribers of the end after all queued values, and cancels the upstream subscriptions. A no-op if
    /// called again.
    @usableFromInline
    package func finish() {
        let (listeners, upstream) = contents.withLock { $0.finish(undelivered) }
        if let listeners { deliver((listeners, nil)) }
        withExtendedLifetime(upstream) {}
    }

    /// Delivers a notification, and everything that is enqueued meanwhile.
    @inlinable
    func deliver(_ first: SubjectContents.Notification) {
        notify(first)
        deliverPending()
    }

    /// Delivers what was enqueued during a delivery.
    @inlinable
    func deliverPending() {
        while let next = nextAfterDelivery() { notify(next) }
    }

    @inlinable
    func notify(_ notification: SubjectContents.Notification) {
        let subscribers = Listeners<Value>(notification.listeners)
        if let box = notification.box {
            subscribers.notify(box.value(as: Value.self))
        } else {
            // A subscriber that is still receiving the present value gets its buffered values first.
            subscribers.finish(deliversBuffered: true)
        }
    }

    /// The notification behind the one that was delivered; nil if there is none.
    ///
    /// - Parameter onlyEnd: Whether a value stays enqueued.
    @usableFromInline
    func nextAfterDelivery(onlyEnd: Bool = false) -> SubjectContents.Notification? {
        guard undelivered.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue > 0 else {
            return nil
        }
        return contents.withLock { contents in
            if onlyEnd, contents.pending.first?.box != nil { return nil }
            return contents.pending.popFirst()
        }
    }
}

/// What a ``Subject`` stores, without the type of its value, so that it is compiled once.
@usableFromInline
struct SubjectContents: Sendable {
    /// Nil before the first value, and after it has closed.
    @usableFromInline var present: UntypedBox?
    /// Counts the values.
    @usableFromInline var version = 0
    @usableFromInline var table = ListenerTable()
    /// The notifications behind the one that is being delivered.
    @usableFromInline var pending = Deque<Notification>()
    /// Set at the end and by closing: no further value is published.
    @usableFromInline var isOver = false
    /// The subscriptions that feed it; cancelled, by their release, when it ends or closes.
    var upstream: [SubscriptionToken] = []
    var isBehind: (@Sendable () -> Bool)?

    /// A value, or nil for the end, with the listeners to notify of it.
    @usableFromInline typealias Notification = (listeners: ListenerTable.Snapshot, box: UntypedBox?)

    @usableFromInline
    init() {}

    /// Replaces the value.
    ///
    /// - Parameters:
    ///   - undelivered: Counts the notifications; incremented only here, under the lock.
    ///   - before: Set to the previous value, to be released outside of the lock.
    /// - Returns: The listeners, for the caller to notify; nil if there are none, or if another thread notifies them.
    mutating func setPresent(
        _ box: consuming UntypedBox, _ undelivered: borrowing Atomic<Int>, _ before: inout UntypedBox?
    ) -> ListenerTable.Snapshot? {
        before = exchange(for: box)
        guard !table.isEmpty else { return nil }
        if undelivered.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 {
            return table.listeners
        }
        pending.append((table.listeners, present))
        return nil
    }

    /// Replaces the value.
    ///
    /// - Returns: The previous one, to be released outside of the lock.
    mutating func exchange(for box: consuming UntypedBox) -> UntypedBox? {
        version &+= 1
        let before = present.take()
        present = box
        return before
    }

    /// Ends it.
    ///
    /// - Returns: The listeners, for the caller to notify, nil if another thread notifies them; and the upstream
    ///   subscriptions, to be released outside of the lock.
    mutating func finish(_ undelivered: borrowing Atomic<Int>) -> (
        ListenerTable.Snapshot?, [SubscriptionToken]
    ) {
        guard !isOver else { return (nil, []) }
        let listeners = table.close()
        if undelivered.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 {
            return (listeners, end())
        }
        pending.append((listeners, nil))
        return (nil, end())
    }

    mutating func end() -> [SubscriptionToken] {
        isOver = true
        defer { upstream = [] }
        return upstream
    }
}
