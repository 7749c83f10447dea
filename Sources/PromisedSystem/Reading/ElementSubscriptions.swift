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

    /// An element to deliver.
    @usableFromInline typealias Notification = (listener: Listener<Element?>, element: Element?)

    @usableFromInline
    struct SubscriptionState: Sendable {
        /// The owner takes the subscribers out while it compares elements, so that `==` runs under no lock; then these
        /// are the ones that joined meanwhile.
        @usableFromInline var subscribers: ContiguousArray<Subscriber> = []
        /// The number of values received so far.
        @usableFromInline var received = 0
        /// Empty, and kept by the owner between two values, so that it is allocated once.
        @usableFromInline var news: ContiguousArray<Notification> = []
        /// Whether the owner has to remove subscribers that it has taken out, as they were cancelled or have ended.
        @usableFromInline var hasGone = false
        var isOver = false
    }

    @usableFromInline let scheduler: (any SerialScheduler)?
    @usableFromInline let read: @Sendable () -> Whole
    @usableFromInline let locator: Finder
    @usableFromInline let collection: Projection<Whole, Finder.Container>
    @usableFromInline let areEqual: @Sendable (Element?, Element?) -> Bool
    /// Finds an element in a value, and its place. A closure, so that it is specialized with ``init``.
    @usableFromInline let find: @Sendable (Finder.ID, Whole, inout Finder.Place?) -> Element?
    @usableFromInline let state = Lock(SubscriptionState())

    /// - Parameter source: The source of the whole value.
    @inlinable
    init(
        _ source: Source<Whole>, _ locator: Finder, _ collection: Projection<Whole, Finder.Container>,
        _ areEqual: @escaping @Sendable (Element?, Element?) -> Bool
    ) {
        (scheduler, read) = (source.scheduler, source.read)
        (self.locator, self.collection, self.areEqual) = (locator, collection, areEqual)
        find = { id, whole, place in
            collection.read(whole) { elements in
                var search = ElementSearch<Finder.ID>()
                return locator.find(id, in: elements, &place, &search)
            }
        }
    }

    /// The present element; nil if there is none.
    @inlinable
    func element(_ id: Finder.ID) -> Element? { collection.read(read()) { locator.get(id, in: $0) } }

    // MARK: Notifying

    /// Notifies the subscribers whose element has changed. Called by the owner, never concurrently.
    @inlinable
    func receive(_ whole: Whole) {
        var (subscribers, news) = (ContiguousArray<Subscriber>(), ContiguousArray<Notification>())
        state.withLock { state in
            swap(&state.subscribers, &subscribers)
            swap(&state.news, &news)
            state.received &+= 1
        }
        look(at: whole, &subscribers, &news)
        let hasGone = state.withLock { state in
            swap(&state.subscribers, &subscribers)
            if !subscribers.isEmpty { state.subscribers += subscribers }
            return state.hasGone
        }
        let gone = hasGone ? removeGone() : []
        if !news.isEmpty {
            for item in news { item.listener.deliver(item.element) }
            news.removeAll(keepingCapacity: true)
        }
        state.withLock { swap(&$0.news, &news) }
        withExtendedLifetime(gone) {}
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

    /// Notifies all subscribers of the end. Those that the owner has taken out, to compare elements, are left to it.
    @usableFromInline
    func end() {
        state.withLock { $0.isOver = true }
        removeGone()
    }

    /// Removes the subscribers that were cancelled while the owner compared elements; after the end, all of them.
    ///
    /// - Returns: The subscribers before, to be released outside of the lock.
    @usableFromInline @discardableResult
    func removeGone() -> ContiguousArray<Subscriber> {
        let (subscribers, isOver) = state.withLock { state in
            let (subscribers, isOver) = (state.subscribers, state.isOver)
            state.subscribers.removeAll { isOver || $0.listener.isCancelled }
            state.hasGone = isOver
            return (subscribers, isOver)
        }
        for subscriber in subscribers where isOver { subscriber.listener.finish() }
        return subscribers
    }

    // MARK: Subscribers

    /// Adds a subscriber, which then misses no later change.
    ///
    /// - Returns: The element at that moment, and whether the source has ended.
    func add(_ listener: Listener<Element?>, to id: Finder.ID) -> (element: Element?, isOver: Bool) {
        var subscriber = Subscriber(id: id, listener: listener)
        while true {
            let received = state.withLock { $0.received }
            subscriber.last = find(id, read(), &subscriber.place)
            let isOver = state.withLock { state -> Bool? in
                // A value was received meanwhile, so the value that was read may be an older one: read again.
                guard state.received == received else { return nil }
                if !state.isOver, !listener.isCancelled { state.subscribers.append(subscriber) }
                return state.isOver
            }
            if let isOver { return (subscriber.last, isOver) }
        }
    }

    func remove(_ listener: Listener<Element?>) {
        let removed = state.withLock { state -> Subscriber? in
            guard let place = state.subscribers.firstIndex(where: { $0.listener === listener }) else {
                state.hasGone = true
                return nil
            }
            return state.subscribers.remove(at: place)
        }
        withExtendedLifetime(removed) {}
    }
}
