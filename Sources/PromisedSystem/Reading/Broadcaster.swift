public import Promise

/// A value that changes, and everyone to be told: what stands behind every source that is not a system's own.
///
/// Values may come from several threads. They are told one at a time and in one order, on the thread that brought the
/// first of a row; what comes while one is being told is told after it, to those who were there when it came.
@usableFromInline
final class Broadcaster<Value: Sendable>: Sendable {
    @usableFromInline typealias Audience = ContiguousArray<Listener<Value>>

    /// What is to be told, and to whom.
    @usableFromInline
    struct News: Sendable {
        @usableFromInline let audience: Audience
        /// Nil for the end.
        @usableFromInline let value: ValueBox<Value>?

        @inlinable
        init(_ audience: Audience, _ value: ValueBox<Value>?) {
            (self.audience, self.value) = (audience, value)
        }
    }

    @usableFromInline
    struct Scene: Sendable {
        @usableFromInline var present: ValueBox<Value>?
        @usableFromInline var audience: Audience = []
        @usableFromInline var waiting = FIFO<News>()
        @usableFromInline var isTelling = false
        /// There will be no more values; the present one stays.
        @usableFromInline var isOver = false
        /// Nobody subscribed any more: it hears nothing, and takes nobody any more.
        @usableFromInline var isClosed = false
        /// What it is subscribed to.
        @usableFromInline var upstream: [SubscriptionToken] = []

        @inlinable
        init() {}
    }

    @usableFromInline let scene = Lock(Scene())
    @usableFromInline let closesWhenUnused: Bool

    /// - Parameter closesWhenUnused: Whether it lets go of what it is subscribed to with its last subscriber.
    @usableFromInline
    init(closesWhenUnused: Bool) { self.closesWhenUnused = closesWhenUnused }

    /// The latest value; nil before the first, and when it has closed.
    @inlinable var present: ValueBox<Value>? { scene.withLock { $0.isClosed ? nil : $0.present } }

    /// Whether there may be subscribers that have not been notified of the latest value yet.
    @usableFromInline var isNotifying: Bool { scene.withLock { $0.isTelling } }

    /// Keeps a subscription of its own for as long as it wants to hear of it.
    @usableFromInline
    func keep(_ token: SubscriptionToken) {
        let isClosed = scene.withLock { scene in
            if !scene.isClosed { scene.upstream.append(token) }
            return scene.isClosed
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
        let (before, news) = scene.withLock { scene -> (ValueBox<Value>?, News?) in
            guard !scene.isOver, !scene.isClosed, let value = next() else { return (nil, nil) }
            let before = scene.present
            scene.present = value
            guard !scene.audience.isEmpty else { return (before, nil) }
            let news = News(scene.audience, value)
            if scene.isTelling {
                scene.waiting.append(news)
                return (before, nil)
            }
            scene.isTelling = true
            return (before, news)
        }
        // The old value ends here and not under the lock: its end may call back.
        withExtendedLifetime(before) {}
        if let news { tell(news) }
    }

    /// Tells that there will be no more values.
    @usableFromInline
    func finish() {
        let (news, upstream) = scene.withLock { scene -> (News?, [SubscriptionToken]) in
            guard !scene.isOver else { return (nil, []) }
            scene.isOver = true
            let news = News(scene.audience, nil)
            let upstream = scene.upstream
            (scene.audience, scene.upstream) = ([], [])
            if scene.isTelling {
                scene.waiting.append(news)
                return (nil, upstream)
            }
            scene.isTelling = true
            return (news, upstream)
        }
        if let news { tell(news) }
        for token in upstream { token.cancel() }
    }

    @inlinable
    func tell(_ first: News) {
        var next: News? = first
        while let news = next {
            if let value = news.value {
                for listener in news.audience { listener.tell(value.value) }
            } else {
                tellEnd(to: news.audience)
            }
            next = scene.withLock { scene in
                let next = scene.waiting.popFirst()
                if next == nil { scene.isTelling = false }
                return next
            }
        }
    }

    /// After all values, for those who are only just told the present one as well.
    @usableFromInline
    func tellEnd(to audience: Audience) { for listener in audience { listener.finish(tellsKept: true) } }

    // MARK: Who is told

    /// - Returns: What was there when it joined, after which it misses nothing, and whether the end had come; nil if
    ///   this takes nobody.
    func add(_ listener: Listener<Value>) -> (present: ValueBox<Value>, isOver: Bool)? {
        scene.withLock { scene in
            guard !scene.isClosed, let present = scene.present else { return nil }
            if !scene.isOver { scene.audience.append(listener) }
            return (present, scene.isOver)
        }
    }

    func remove(_ listener: Listener<Value>) {
        listener.retire()
        let gone = scene.withLock { scene -> (Listener<Value>, [SubscriptionToken])? in
            guard let place = scene.audience.firstIndex(where: { $0 === listener }) else { return nil }
            let removed = scene.audience.remove(at: place)
            guard closesWhenUnused, scene.audience.isEmpty else { return (removed, []) }
            scene.isClosed = true
            defer { scene.upstream = [] }
            return (removed, scene.upstream)
        }
        for token in gone?.1 ?? [] { token.cancel() }
    }
}
