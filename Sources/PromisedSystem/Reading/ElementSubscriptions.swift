public import Promise

/// The subscribers to elements of one collection, which are notified together in one pass over the collection.
///
/// With separate subscriptions, an event for one of a thousand observed elements would call a thousand closures, each
/// of which would have to locate its element. Here it is one pass that checks every element at its last known place.
@usableFromInline
final class ElementSubscriptions<Whole: Sendable, Finder: ElementLocator>: Sendable {
    @usableFromInline typealias Element = Finder.Element

    /// A subscriber to one element.
    @usableFromInline
    struct Subscriber: Sendable {
        @usableFromInline let id: Finder.ID
        /// The last known place of the element.
        @usableFromInline var place: Finder.Place?
        /// The element that the subscriber received last, or found when it subscribed; nil if there was none.
        @usableFromInline var last: Element?
        @usableFromInline let listener: Listener<Element?>
    }

    /// A subscriber that has not been admitted yet, with the whole value at the time it subscribed.
    @usableFromInline typealias Arrival = (subscriber: Subscriber, whole: Whole)

    /// An element to deliver.
    @usableFromInline typealias Notification = (listener: Listener<Element?>, element: Element?)

    @usableFromInline
    struct State: Sendable {
        /// The owner removes the subscribers while it compares elements, so that `==` runs under no lock.
        @usableFromInline var admitted: ContiguousArray<Subscriber> = []
        @usableFromInline var arrivals: [Arrival] = []
        /// The number of values received so far.
        @usableFromInline var received = 0
        /// Empty, and kept by the owner between two values, so that it is allocated once.
        @usableFromInline var news: ContiguousArray<Notification> = []
        @usableFromInline var isTaken = false
        /// Whether some were cancelled meanwhile, or the end has come.
        @usableFromInline var hasChanged = false
        var isOver = false
    }

    private let scheduler: (any SerialScheduler)?
    @usableFromInline let read: @Sendable () -> Whole
    @usableFromInline let locator: Finder
    @usableFromInline let collection: Projection<Whole, Finder.Container>
    @usableFromInline let areEqual: @Sendable (Element?, Element?) -> Bool
    @usableFromInline let state = Lock(State())

    /// - Parameter source: The source of the whole value.
    @usableFromInline
    init(
        _ source: Source<Whole>, _ locator: Finder, _ collection: Projection<Whole, Finder.Container>,
        _ areEqual: @escaping @Sendable (Element?, Element?) -> Bool
    ) {
        (scheduler, read) = (source.scheduler, source.read)
        (self.locator, self.collection, self.areEqual) = (locator, collection, areEqual)
    }

    /// The present element; nil if there is none.
    @inlinable
    func element(_ id: Finder.ID) -> Element? { collection.read(read()) { locator.get(id, in: $0) } }

    // MARK: Notifying

    /// Notifies the subscribers whose element has changed. Called by the owner, never concurrently.
    @inlinable
    func receive(_ whole: Whole) {
        var (subscribers, news) = (ContiguousArray<Subscriber>(), ContiguousArray<Notification>())
        let arrivals = state.withLock { state in
            swap(&state.admitted, &subscribers)
            swap(&state.news, &news)
            state.isTaken = true
            state.received &+= 1
            defer { if !state.arrivals.isEmpty { state.arrivals = [] } }
            return state.arrivals
        }
        for arrival in arrivals { admit(arrival, to: &subscribers) }
        look(at: whole, &subscribers, &news)
        let hasChanged = state.withLock { state in
            swap(&state.admitted, &subscribers)
            state.isTaken = false
            return state.hasChanged
        }
        if hasChanged { removeGone() }
        // A pending subscriber may hold the last reference to an old value.
        withExtendedLifetime(arrivals) {}
        if !news.isEmpty {
            for item in news { item.listener.deliver(item.element) }
            news.removeAll(keepingCapacity: true)
        }
        state.withLock { swap(&$0.news, &news) }
    }

    /// Admits a pending subscriber, with the element of the value at the time it subscribed.
    @inlinable
    func admit(_ arrival: Arrival, to subscribers: inout ContiguousArray<Subscriber>) {
        // It may have been cancelled while it subscribed.
        guard !arrival.subscriber.listener.isCancelled else { return }
        var subscriber = arrival.subscriber
        subscriber.last = collection.read(arrival.whole) { elements in
            var search = ElementSearch<Finder.ID>()
            return locator.find(subscriber.id, in: elements, &subscriber.place, &search)
        }
        subscribers.append(subscriber)
    }

    /// Compares each element with the one before.
    @inlinable
    func look(
        at whole: Whole, _ subscribers: inout ContiguousArray<Subscriber>,
        _ news: inout ContiguousArray<Notification>
    ) {
        let (locator, areEqual) = (locator, areEqual)
        var search = ElementSearch<Finder.ID>()
        collection.read(whole) { elements in
            subscribers.withUnsafeMutableBufferPointer { subscribers in
                var next = 0
                while let index = firstTouched(from: next, of: subscribers, in: elements) {
                    next = index + 1
                    let element = locator.find(
                        subscribers[index].id, in: elements, &subscribers[index].place, &search)
                    if areEqual(subscribers[index].last, element) { continue }
                    news.append((subscribers[index].listener, element))
                    subscribers[index].last = element
                }
            }
        }
    }

    /// The first subscriber, from an index on, whose element is not known to be unchanged.
    ///
    /// Not inlined: that is most often none, and so its loop has all registers.
    @inlinable @inline(never)
    func firstTouched(
        from start: Int, of subscribers: UnsafeMutableBufferPointer<Subscriber>,
        in elements: borrowing Finder.Container
    ) -> Int? {
        for index in start..<subscribers.count
        where !locator.isUntouched(
            &subscribers[index].last, subscribers[index].id, in: elements, subscribers[index].place)
        {
            return index
        }
        return nil
    }

    /// Notifies all subscribers of the end, pending ones included. While the owner compares elements, that is left to
    /// it.
    @usableFromInline
    func end() {
        let (arrivals, isTaken) = state.withLock { state in
            defer { state.arrivals = [] }
            (state.isOver, state.hasChanged) = (true, state.isTaken)
            return (state.arrivals, state.isTaken)
        }
        for arrival in arrivals { arrival.subscriber.listener.finish() }
        if !isTaken { removeGone() }
    }

    /// Removes the subscribers that were cancelled while the owner compared elements; after the end, all of them.
    @usableFromInline
    func removeGone() {
        let (subscribers, isOver) = state.withLock { state in
            let (subscribers, isOver) = (state.admitted, state.isOver)
            state.admitted.removeAll { isOver || $0.listener.isCancelled }
            state.hasChanged = false
            return (subscribers, isOver)
        }
        // The array retains the removed subscribers until the lock is released.
        for subscriber in subscribers where isOver { subscriber.listener.finish() }
    }

    // MARK: Subscribing

    /// Subscribes to an element; see ``Source/attach``.
    ///
    /// - Parameter connection: Holds the subscription to the whole; retained by the token.
    @usableFromInline
    func subscribe(
        to id: Finder.ID, _ connection: ElementConnection<Whole, Finder>, replayCurrent: Bool,
        _ body: @escaping @Sendable (Element?) -> Void, onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        let listener = Listener<Element?>(body, onEnd: onEnd)
        listener.begin(replayCurrent: replayCurrent, on: scheduler) { [self] listener in
            connection.connect()
            let (whole, isOver) = arrive(Subscriber(id: id, listener: listener))
            return ({ [self] in collection.read(whole) { locator.get(id, in: $0) } }, isOver)
        }
        // Weak, so that a token that outlives the owner does not retain what the subscriber captures. One closure, for
        // the memory of many subscriptions.
        return SubscriptionToken(endsOnRelease: true) { [self, connection, weak listener] in
            guard let listener else { return }
            listener.retire()
            remove(listener)
            withExtendedLifetime(connection) {}
        }
    }

    /// Enqueues a subscriber, which then misses no later change.
    ///
    /// - Returns: The value at that moment, and whether the source has ended.
    private func arrive(_ subscriber: Subscriber) -> (whole: Whole, isOver: Bool) {
        while true {
            let received = state.withLock { $0.received }
            let whole = read()
            let isOver = state.withLock { state -> Bool? in
                // A value was received meanwhile, so the value that was read may be an older one: read again.
                guard state.received == received else { return nil }
                if !state.isOver { state.arrivals.append((subscriber, whole)) }
                return state.isOver
            }
            if let isOver { return (whole, isOver) }
        }
    }

    private func remove(_ listener: Listener<Element?>) {
        let removed = state.withLock { state -> (Subscriber?, Arrival?) in
            state.hasChanged = state.isTaken
            let place = state.admitted.firstIndex { $0.listener === listener }
            let arrival = state.arrivals.firstIndex { $0.subscriber.listener === listener }
            return (
                place.map { state.admitted.remove(at: $0) },
                arrival.map { state.arrivals.remove(at: $0) }
            )
        }
        withExtendedLifetime(removed) {}
    }
}
