public import Promise

/// Stores a changing value and notifies its subscribers; backs every source that a system does not own.
///
/// Values may be published from several threads. They are delivered one at a time and in one order, on the thread that
/// published the first of a burst: a value published during a delivery is queued, and delivered afterwards to the
/// subscribers at the time of its publication.
@usableFromInline
final class Broadcaster<Value: Sendable>: Sendable {
    /// A value, or nil for the end, with the subscribers to deliver it to.
    @usableFromInline typealias Notification = (subscribers: Subscribers<Value>, value: ValueBox<Value>?)

    @usableFromInline
    struct Contents: Sendable {
        /// Nil before the first value, and after it has closed.
        @usableFromInline var present: ValueBox<Value>?
        @usableFromInline var subscribers = Subscribers<Value>()
        /// The notification that is being delivered, and those enqueued meanwhile.
        @usableFromInline var pending = Deque<Notification>()
        /// Set at the end and by closing: no further value is published.
        @usableFromInline var isOver = false
        /// The subscriptions that feed it; cancelled, by their release, when it ends or closes.
        var upstream: [SubscriptionToken] = []
        var isBehind: (@Sendable () -> Bool)?

        /// - Returns: The notification, for the caller to deliver; nil if another thread delivers it.
        @inlinable
        mutating func enqueue(_ notification: Notification) -> Notification? {
            defer { pending.append(notification) }
            return pending.isEmpty ? notification : nil
        }

        mutating func end() -> [SubscriptionToken] {
            isOver = true
            defer { upstream = [] }
            return upstream
        }
    }

    @usableFromInline let contents = Lock(Contents())
    private let closesWhenUnused: Bool

    /// - Parameter closesWhenUnused: Whether removing the last subscriber closes it and cancels its upstream
    ///   subscriptions.
    @usableFromInline
    init(closesWhenUnused: Bool = false) { self.closesWhenUnused = closesWhenUnused }

    /// The latest value; nil before the first, and after it has closed.
    @inlinable var present: ValueBox<Value>? { contents.withLock { $0.present } }

    /// Whether there may be subscribers that have not been notified of the latest value yet.
    @usableFromInline var isNotifying: Bool { contents.withLock { !$0.pending.isEmpty } }

    /// Whether an upstream source that only this broadcaster knows may have a value that has not arrived here yet.
    var isBehind: Bool { contents.withLock { $0.isBehind }?() ?? false }

    /// Sets what ``isBehind`` asks; called once, before there are subscribers.
    func setBehind(_ isBehind: @escaping @Sendable () -> Bool) {
        contents.withLock { $0.isBehind = isBehind }
    }

    /// Retains the token of an upstream subscription until the broadcaster ends or is closed; releasing the token ends
    /// that subscription. A no-op after the end.
    @usableFromInline
    func keep(_ token: SubscriptionToken) {
        contents.withLock { if !$0.isOver { $0.upstream.append(token) } }
    }

    // MARK: Publishing

    /// Stores a value as the present one and notifies the subscribers. A no-op after the end.
    @inlinable
    func publish(_ value: Value) {
        let box = ValueBox(value)
        publish { box }
    }

    /// Stores a value as the present one and notifies the subscribers. A no-op after the end.
    ///
    /// - Parameter next: Computes the value, or nil for no change. Called under the lock, so it must not call user
    ///   code.
    @inlinable
    func publish(_ next: () -> ValueBox<Value>?) {
        let (before, notification) = contents.withLock { contents -> (ValueBox<Value>?, Notification?) in
            guard !contents.isOver, let value = next() else { return (nil, nil) }
            let before = contents.present
            contents.present = value
            guard !contents.subscribers.isEmpty else { return (before, nil) }
            return (before, contents.enqueue((contents.subscribers, value)))
        }
        // Released here and not under the lock: a `deinit` may be re-entrant.
        withExtendedLifetime(before) {}
        if let notification { deliver(notification) }
    }

    /// Stores a value as the present one, and enqueues its notification until ``deliverNext()``. A no-op after the end.
    ///
    /// Everything that is stored in this way must be delivered, by one thread at a time.
    @inlinable
    func stage(_ value: ValueBox<Value>) {
        let before = contents.withLock { contents -> ValueBox<Value>? in
            guard !contents.isOver else { return nil }
            defer { contents.present = value }
            contents.pending.append((contents.subscribers, value))
            return contents.present
        }
        withExtendedLifetime(before) {}
    }

    /// Delivers the first notification that was enqueued, and the end if that is the next one: nothing else would
    /// deliver it.
    @inlinable
    func deliverNext() {
        guard let next = contents.withLock({ $0.pending.first }) else { return }
        if let value = next.value { next.subscribers.notify(value.value) }
        let (delivered, following) = contents.withLock { ($0.pending.popFirst(), $0.pending.first) }
        withExtendedLifetime(delivered) {}
        if let following, following.value == nil { deliver(following) }
    }

    /// Notifies the subscribers of the end after all queued values, and cancels the upstream subscriptions. A no-op if
    /// called again.
    @usableFromInline
    func finish() {
        let (notification, upstream) = contents.withLock { contents -> (Notification?, [SubscriptionToken]) in
            guard !contents.isOver else { return (nil, []) }
            return (contents.enqueue((contents.subscribers.close(), nil)), contents.end())
        }
        if let notification { deliver(notification) }
        withExtendedLifetime(upstream) {}
    }

    /// Delivers a notification, and everything that is enqueued meanwhile.
    @inlinable
    func deliver(_ first: Notification) {
        var next: Notification? = first
        while let (subscribers, value) = next {
            if let value {
                subscribers.notify(value.value)
            } else {
                // A subscriber that is still receiving the present value gets its buffered values first.
                subscribers.finish(deliversBuffered: true)
            }
            let (delivered, following) = contents.withLock { ($0.pending.popFirst(), $0.pending.first) }
            next = following
            // Released here and not under the lock.
            withExtendedLifetime(delivered) {}
        }
    }

    // MARK: Subscribers

    /// Adds a subscriber, which then misses no later value.
    ///
    /// - Returns: The present value when it joined, and whether the end had already been published; nil if this is
    ///   closed or has no value yet.
    func add(_ listener: Listener<Value>) -> (present: ValueBox<Value>, isOver: Bool)? {
        contents.withLock { contents in
            guard let present = contents.present else { return nil }
            contents.subscribers.add(listener)
            return (present, contents.isOver)
        }
    }

    func remove(_ listener: Listener<Value>) {
        if contents.withLock({ $0.subscribers.remove(listener) }) { closeIfUnused() }
    }

    /// Closes it if it has no subscriber: it then publishes nothing and rejects new subscribers.
    func closeIfUnused() {
        let past = contents.withLock { contents -> (ValueBox<Value>?, [SubscriptionToken]) in
            guard closesWhenUnused, contents.subscribers.isEmpty else { return (nil, []) }
            return (contents.present.take(), contents.end())
        }
        withExtendedLifetime(past) {}
    }
}
