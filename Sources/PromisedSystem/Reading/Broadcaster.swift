public import Promise

/// A value that changes, and everyone to be told: what stands behind every source that is not a system's own.
///
/// Values may come from several threads. They are told one at a time and in one order, on the thread that brought the
/// first of a row; what comes while one is being told is told after it, to those who were there when it came.
@usableFromInline
final class Broadcaster<Value: Sendable>: Sendable {
    @usableFromInline typealias Subscribers = ContiguousArray<Listener<Value>>

    /// What is to be told, and to whom.
    @usableFromInline
    struct Notification: Sendable {
        @usableFromInline let subscribers: Subscribers
        /// Nil for the end.
        @usableFromInline let value: ValueBox<Value>?

        @inlinable
        init(_ subscribers: Subscribers, _ value: ValueBox<Value>?) {
            (self.subscribers, self.value) = (subscribers, value)
        }
    }

    @usableFromInline
    struct Contents: Sendable {
        @usableFromInline var present: ValueBox<Value>?
        @usableFromInline var subscribers: Subscribers = []
        @usableFromInline var waiting = Deque<Notification>()
        @usableFromInline var isNotifying = false
        /// There will be no more values; the present one stays.
        @usableFromInline var isOver = false
        /// Nobody subscribed any more: it hears nothing, and takes nobody any more.
        @usableFromInline var isClosed = false
        /// What it is subscribed to.
        @usableFromInline var upstream: [SubscriptionToken] = []

        @inlinable
        init() {}
    }

    @usableFromInline let contents = Lock(Contents())
    @usableFromInline let closesWhenUnused: Bool

    /// - Parameter closesWhenUnused: Whether it lets go of what it is subscribed to with its last subscriber.
    @usableFromInline
    init(closesWhenUnused: Bool) { self.closesWhenUnused = closesWhenUnused }

    /// The latest value; nil before the first, and when it has closed.
    @inlinable var present: ValueBox<Value>? { contents.withLock { $0.isClosed ? nil : $0.present } }

    /// Whether there may be subscribers that have not been notified of the latest value yet.
    @usableFromInline var isNotifying: Bool { contents.withLock { $0.isNotifying } }

    /// Keeps a subscription of its own for as long as it wants to hear of it.
    @usableFromInline
    func keep(_ token: SubscriptionToken) {
        let isClosed = contents.withLock { contents in
            if !contents.isClosed { contents.upstream.append(token) }
            return contents.isClosed
        }
        if isClosed { token.cancel() }
    }

    // MARK: Telling

    /// Makes a value the present one and tells it.
    @inlinable
    func publish(_ value: Value) {
        let box = ValueBox(value)
        publish { box }
    }

    /// Makes a value the present one and tells it.
    ///
    /// - Parameter next: Ours, as it is called under the lock; nil for no change.
    @inlinable
    func publish(_ next: () -> ValueBox<Value>?) {
        let (before, news) = contents.withLock { contents -> (ValueBox<Value>?, Notification?) in
            guard !contents.isOver, !contents.isClosed, let value = next() else { return (nil, nil) }
            let before = contents.present
            contents.present = value
            guard !contents.subscribers.isEmpty else { return (before, nil) }
            let news = Notification(contents.subscribers, value)
            if contents.isNotifying {
                contents.waiting.append(news)
                return (before, nil)
            }
            contents.isNotifying = true
            return (before, news)
        }
        // The old value ends here and not under the lock: its end may call back.
        withExtendedLifetime(before) {}
        if let news { tell(news) }
    }

    /// Tells that there will be no more values.
    @usableFromInline
    func finish() {
        let (news, upstream) = contents.withLock { contents -> (Notification?, [SubscriptionToken]) in
            guard !contents.isOver else { return (nil, []) }
            contents.isOver = true
            let news = Notification(contents.subscribers, nil)
            let upstream = contents.upstream
            (contents.subscribers, contents.upstream) = ([], [])
            if contents.isNotifying {
                contents.waiting.append(news)
                return (nil, upstream)
            }
            contents.isNotifying = true
            return (news, upstream)
        }
        if let news { tell(news) }
        for token in upstream { token.cancel() }
    }

    @inlinable
    func tell(_ first: Notification) {
        var next: Notification? = first
        while let news = next {
            if let value = news.value {
                for listener in news.subscribers { listener.tell(value.value) }
            } else {
                notifyEnd(to: news.subscribers)
            }
            next = contents.withLock { contents in
                let next = contents.waiting.popFirst()
                if next == nil { contents.isNotifying = false }
                return next
            }
        }
    }

    /// After all values, for those who are only just told the present one as well.
    @usableFromInline
    func notifyEnd(to subscribers: Subscribers) {
        for listener in subscribers { listener.finish(tellsKept: true) }
    }

    // MARK: Who is told

    /// - Returns: What was there when it joined, after which it misses nothing, and whether the end had come; nil if
    ///   this takes nobody.
    func add(_ listener: Listener<Value>) -> (present: ValueBox<Value>, isOver: Bool)? {
        contents.withLock { contents in
            guard !contents.isClosed, let present = contents.present else { return nil }
            if !contents.isOver { contents.subscribers.append(listener) }
            return (present, contents.isOver)
        }
    }

    func remove(_ listener: Listener<Value>) {
        listener.retire()
        let gone = contents.withLock { contents -> (Listener<Value>, [SubscriptionToken])? in
            guard let place = contents.subscribers.firstIndex(where: { $0 === listener }) else { return nil }
            let removed = contents.subscribers.remove(at: place)
            guard closesWhenUnused, contents.subscribers.isEmpty else { return (removed, []) }
            contents.isClosed = true
            defer { contents.upstream = [] }
            return (removed, contents.upstream)
        }
        for token in gone?.1 ?? [] { token.cancel() }
    }
}
