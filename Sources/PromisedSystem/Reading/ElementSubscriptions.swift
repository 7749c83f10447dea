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
    @usableFromInline typealias Arrival = (subscriber: Subscriber, whole: @Sendable () -> Whole)

    /// An element to deliver, with the previous one, retained so that it is not released under the lock.
    @usableFromInline typealias Notification = (
        listener: Listener<Element?>, element: Element?, before: Element?
    )

    /// What the owner takes out while it compares elements, so that `==` runs under no lock.
    @usableFromInline
    struct Admitted: Sendable {
        @usableFromInline var subscribers: ContiguousArray<Subscriber> = []
        /// Reused, so that it is allocated once.
        @usableFromInline var news: ContiguousArray<Notification> = []

        @inlinable
        init() {}
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var admitted = Admitted()
        @usableFromInline var arrivals: [Arrival] = []
        @usableFromInline var isTaken = false
        /// Whether some were cancelled meanwhile, or the end has come.
        @usableFromInline var hasChanged = false
        var isOver = false
    }

    private let source: Source<Whole>
    @usableFromInline let read: @Sendable () -> Whole
    private let entrance: Source<Whole>.Entrance
    @usableFromInline let locator: Finder
    @usableFromInline let collection: Projection<Whole, Finder.Container>
    @usableFromInline let areEqual: @Sendable (Element?, Element?) -> Bool
    /// Acquired while the lock of the system is held, so no user code may run under it.
    @usableFromInline let state = Lock(State())

    /// - Parameters:
    ///   - source: The source of the whole value.
    ///   - entrance: The entrance of that source.
    @usableFromInline
    init(
        _ source: Source<Whole>, _ entrance: Source<Whole>.Entrance, _ locator: Finder,
        _ collection: Projection<Whole, Finder.Container>,
        _ areEqual: @escaping @Sendable (Element?, Element?) -> Bool
    ) {
        (self.source, read, self.entrance) = (source, source.read, entrance)
        (self.locator, self.collection, self.areEqual) = (locator, collection, areEqual)
    }

    /// The present element; nil if there is none.
    @inlinable
    func element(_ id: Finder.ID) -> Element? { collection.read(read()) { locator.get(id, in: $0) } }

    // MARK: Notifying

    /// Notifies the subscribers whose element has changed. Called by the owner, never concurrently.
    @inlinable
    func receive(_ whole: Whole) {
        var taken = Admitted()
        let arrivals = state.withLock { state in
            swap(&state.admitted, &taken)
            state.isTaken = true
            defer { if !state.arrivals.isEmpty { state.arrivals = [] } }
            return state.arrivals
        }
        for arrival in arrivals { admit(arrival, &taken) }
        look(at: whole, &taken)
        var news: ContiguousArray<Notification> = []
        swap(&news, &taken.news)
        putBack(&taken)
        // A pending subscriber may hold the last reference to an old value.
        withExtendedLifetime(arrivals) {}
        guard !news.isEmpty else { return }
        for item in news { item.listener.deliver(item.element) }
        news.removeAll(keepingCapacity: true)
        state.withLock { swap(&news, &$0.admitted.news) }
    }

    /// Admits a pending subscriber, with the element of the value at the time it subscribed.
    @inlinable
    func admit(_ arrival: Arrival, _ taken: inout Admitted) {
        // It may have been cancelled while it subscribed.
        guard !arrival.subscriber.listener.isCancelled else { return }
        var subscriber = arrival.subscriber
        subscriber.last = collection.read(arrival.whole()) { elements in
            var search = ElementSearch<Finder.ID>()
            return locator.find(subscriber.id, in: elements, &subscriber.place, &search)
        }
        taken.subscribers.append(subscriber)
    }

    /// Returns the subscribers, without those that were cancelled meanwhile. If the end came meanwhile, they are
    /// notified of it.
    @inlinable
    func putBack(_ taken: inout Admitted) {
        while true {
            let isBack = state.withLock { state in
                guard !state.hasChanged else { return false }
                swap(&state.admitted, &taken)
                state.isTaken = false
                return true
            }
            if isBack { return }
            applyChanges(to: &taken)
        }
    }

    @usableFromInline
    func applyChanges(to taken: inout Admitted) {
        let isOver = state.withLock { state in
            state.hasChanged = false
            return state.isOver
        }
        taken.subscribers.removeAll { $0.listener.isCancelled }
        guard isOver else { return }
        for subscriber in taken.subscribers { subscriber.listener.finish() }
        taken.subscribers = []
    }

    @inlinable
    func look(at whole: Whole, _ taken: inout Admitted) {
        let (locator, areEqual) = (locator, areEqual)
        var (news, search) = (ContiguousArray<Notification>(), ElementSearch<Finder.ID>())
        swap(&news, &taken.news)
        collection.read(whole) { elements in
            taken.subscribers.withUnsafeMutableBufferPointer { subscribers in
                for index in subscribers.indices {
                    if locator.isUntouched(
                        &subscribers[index].last, subscribers[index].id, in: elements,
                        subscribers[index].place)
                    {
                        continue
                    }
                    let element = locator.find(
                        subscribers[index].id, in: elements, &subscribers[index].place, &search)
                    if areEqual(subscribers[index].last, element) { continue }
                    news.append((subscribers[index].listener, element, before: subscribers[index].last))
                    subscribers[index].last = element
                }
            }
        }
        swap(&news, &taken.news)
    }

    /// Notifies all subscribers of the end, pending ones included.
    @usableFromInline
    func end() {
        let (subscribers, arrivals) = state.withLock { state in
            defer {
                (state.admitted.subscribers, state.arrivals) = ([], [])
                (state.isOver, state.hasChanged) = (true, state.isTaken)
            }
            return (state.admitted.subscribers, state.arrivals)
        }
        for subscriber in subscribers + arrivals.map(\.subscriber) { subscriber.listener.finish() }
    }

    // MARK: Subscribing

    /// Subscribes to an element; see ``Source/attach``.
    ///
    /// - Parameter connection: Holds the subscription to the whole; retained by the token.
    @usableFromInline
    func subscribe(
        to id: Finder.ID, _ connection: ElementConnection, replayCurrent: Bool,
        _ body: @escaping @Sendable (Element?) -> Void, onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        let listener = Listener<Element?>(body, onEnd: onEnd)
        listener.begin(
            replayCurrent: replayCurrent, onOwnerThread: source.identity.onOwnerThread
        ) { [self] listener in
            connection.connect()
            return arrive(Subscriber(id: id, listener: listener))
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
    /// - Returns: The element at that moment, and whether the end had already come.
    private func arrive(_ subscriber: Subscriber) -> (present: @Sendable () -> Element?, isOver: Bool)? {
        var result: (present: @Sendable () -> Element?, isOver: Bool)?
        entrance.enter { whole in
            let isOver = state.withLock { state in
                if !state.isOver { state.arrivals.append((subscriber, whole)) }
                return state.isOver
            }
            result = (
                { [self] in collection.read(whole()) { locator.get(subscriber.id, in: $0) } }, isOver
            )
        }
        return result
    }

    private func remove(_ listener: Listener<Element?>) {
        let removed = state.withLock { state -> (Subscriber?, Arrival?) in
            state.hasChanged = state.isTaken
            let place = state.admitted.subscribers.firstIndex { $0.listener === listener }
            let arrival = state.arrivals.firstIndex { $0.subscriber.listener === listener }
            return (
                place.map { state.admitted.subscribers.remove(at: $0) },
                arrival.map { state.arrivals.remove(at: $0) }
            )
        }
        withExtendedLifetime(removed) {}
    }
}
