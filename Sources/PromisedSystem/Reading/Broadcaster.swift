public import Promise

/// Stores a changing value and notifies its subscribers; backs every source that a system does not own.
///
/// Values may be published from several threads. They are delivered one at a time and in one order, on the thread that
/// published the first of a burst: a value published during a delivery is queued, and delivered afterwards to the
/// subscribers at the time of its publication.
@usableFromInline
final class Broadcaster<Value: Sendable>: Sendable {
    @usableFromInline typealias Listeners = Subscribers<Value>

    /// A value or the end, with the subscribers to deliver it to.
    @usableFromInline
    struct Notification: Sendable {
        @usableFromInline let subscribers: Listeners
        /// The value to deliver; nil for the end.
        @usableFromInline let value: ValueBox<Value>?

        @inlinable
        init(_ subscribers: Listeners, _ value: ValueBox<Value>?) {
            (self.subscribers, self.value) = (subscribers, value)
        }
    }

    @usableFromInline
    struct Contents: Sendable {
        @usableFromInline var present: ValueBox<Value>?
        @usableFromInline var subscribers = Listeners()
        @usableFromInline var waiting = Deque<Notification>()
        @usableFromInline var isNotifying = false
        /// Set by ``Broadcaster/finish()``: no further value is published, and the present one stays.
        @usableFromInline var isOver = false
        /// Set when the last subscriber was removed, if it closes when unused: it publishes nothing and rejects new
        /// subscribers.
        @usableFromInline var isClosed = false
        /// The subscriptions that feed it; cancelled when it ends or closes.
        @usableFromInline var upstream: [SubscriptionToken] = []

        @inlinable
        init() {}
    }

    @usableFromInline let contents = Lock(Contents())
    @usableFromInline let closesWhenUnused: Bool

    /// - Parameter closesWhenUnused: Whether removing the last subscriber closes it and cancels its upstream
    ///   subscriptions.
    @usableFromInline
    init(closesWhenUnused: Bool) { self.closesWhenUnused = closesWhenUnused }

    /// The latest value; nil before the first, and after it has closed.
    @inlinable var present: ValueBox<Value>? { contents.withLock { $0.isClosed ? nil : $0.present } }

    /// Whether there may be subscribers that have not been notified of the latest value yet.
    @usableFromInline var isNotifying: Bool { contents.withLock { $0.isNotifying } }

    /// Retains an upstream subscription until this ends or closes; cancels it at once if this is already closed.
    @usableFromInline
    func keep(_ token: SubscriptionToken) {
        let isClosed = contents.withLock { contents in
            if !contents.isClosed { contents.upstream.append(token) }
            return contents.isClosed
        }
        if isClosed { token.cancel() }
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
            guard !contents.isOver, !contents.isClosed, let value = next() else { return (nil, nil) }
            let before = contents.present
            contents.present = value
            guard !contents.subscribers.isEmpty else { return (before, nil) }
            let notification = Notification(contents.subscribers, value)
            if contents.isNotifying {
                contents.waiting.append(notification)
                return (before, nil)
            }
            contents.isNotifying = true
            return (before, notification)
        }
        // Released here and not under the lock: a `deinit` may be re-entrant.
        withExtendedLifetime(before) {}
        if let notification { deliver(notification) }
    }

    /// Notifies the subscribers of the end after all queued values, and cancels the upstream subscriptions. A no-op if
    /// called again.
    @usableFromInline
    func finish() {
        let (notification, upstream) = contents.withLock { contents -> (Notification?, [SubscriptionToken]) in
            guard !contents.isOver else { return (nil, []) }
            contents.isOver = true
            let notification = Notification(contents.subscribers.close(), nil)
            let upstream = contents.upstream
            contents.upstream = []
            if contents.isNotifying {
                contents.waiting.append(notification)
                return (nil, upstream)
            }
            contents.isNotifying = true
            return (notification, upstream)
        }
        if let notification { deliver(notification) }
        for token in upstream { token.cancel() }
    }

    @inlinable
    func deliver(_ first: Notification) {
        var next: Notification? = first
        while let notification = next {
            if let value = notification.value {
                notification.subscribers.notify(value.value)
            } else {
                // A subscriber that is still receiving the present value gets its buffered values first.
                notification.subscribers.finish(deliversBuffered: true)
            }
            next = contents.withLock { contents in
                let next = contents.waiting.popFirst()
                if next == nil { contents.isNotifying = false }
                return next
            }
        }
    }

    // MARK: Subscribers

    /// Adds a subscriber, which then misses no later value.
    ///
    /// - Returns: The present value when it joined, and whether the end had already been published; nil if this is
    ///   closed or has no value yet.
    func add(_ listener: Listener<Value>) -> (present: ValueBox<Value>, isOver: Bool)? {
        contents.withLock { contents in
            guard !contents.isClosed, let present = contents.present else { return nil }
            contents.subscribers.add(listener)
            return (present, contents.isOver)
        }
    }

    func remove(_ listener: Listener<Value>) {
        listener.retire()
        let removal = contents.withLock { contents -> (Listener<Value>, [SubscriptionToken])? in
            guard let removed = contents.subscribers.remove(listener) else { return nil }
            guard closesWhenUnused, contents.subscribers.isEmpty else { return (removed, []) }
            contents.isClosed = true
            defer { contents.upstream = [] }
            return (removed, contents.upstream)
        }
        for token in removal?.1 ?? [] { token.cancel() }
    }
}
