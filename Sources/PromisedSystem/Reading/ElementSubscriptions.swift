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

        @inlinable
        init(_ id: Finder.ID, _ listener: Listener<Element?>) { (self.id, self.listener) = (id, listener) }
    }

    /// A subscriber that has not been admitted yet, with the whole value at the time it subscribed.
    @usableFromInline
    struct PendingSubscriber: Sendable {
        @usableFromInline var subscriber: Subscriber
        @usableFromInline let whole: @Sendable () -> Whole

        @inlinable
        init(_ subscriber: Subscriber, _ whole: @escaping @Sendable () -> Whole) {
            (self.subscriber, self.whole) = (subscriber, whole)
        }
    }

    @usableFromInline
    struct PendingSubscribers: Sendable {
        @usableFromInline var arrivals: [PendingSubscriber] = []
        @usableFromInline var isOver = false

        @inlinable
        init(isOver: Bool = false) { self.isOver = isOver }
    }

    @usableFromInline
    struct Notification: Sendable {
        @usableFromInline let listener: Listener<Element?>
        @usableFromInline let element: Element?
        /// The previous element, retained so that it is not released under the lock.
        @usableFromInline let before: Element?

        @inlinable
        init(_ listener: Listener<Element?>, _ element: Element?, before: Element?) {
            (self.listener, self.element, self.before) = (listener, element, before)
        }
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var subscribers: ContiguousArray<Subscriber> = []
        /// Reused, so that it is allocated once.
        @usableFromInline var news: ContiguousArray<Notification> = []
        /// Whether the owner has taken the subscribers, to compare their elements.
        @usableFromInline var isTaken = false
        /// Whether some were cancelled meanwhile, or the end has come.
        @usableFromInline var hasChanged = false
        var cancelled: [Listener<Element?>] = []
        var isOver = false

        @inlinable
        init() {}
    }

    private let source: Source<Whole>
    @usableFromInline let read: @Sendable () -> Whole
    private let entrance: Source<Whole>.Entrance
    @usableFromInline let locator: Finder
    @usableFromInline let collection: Projection<Whole, Finder.Container>
    @usableFromInline let areEqual: @Sendable (Element?, Element?) -> Bool
    @usableFromInline let state = Lock(State())
    /// Acquired while the lock of the system is held, so no user code may run under it.
    @usableFromInline let door = Lock(PendingSubscribers())

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
    func element(_ id: Finder.ID) -> Element? { find(id, in: read()) }

    // MARK: Notifying

    /// Notifies the subscribers whose element has changed. Called by the owner, never concurrently.
    @inlinable
    func receive(_ whole: Whole) {
        // Taken out, so that `==` runs under no lock.
        var taken = take()
        let arrivals = admitPending(&taken)
        look(at: whole, &taken)
        var news: ContiguousArray<Notification> = []
        swap(&news, &taken.news)
        putBack(&taken)
        // A pending subscriber may hold the last reference to an old value.
        withExtendedLifetime(arrivals) {}
        guard !news.isEmpty else { return }
        for item in news { item.listener.deliver(item.element) }
        news.removeAll(keepingCapacity: true)
        state.withLock { swap(&news, &$0.news) }
    }

    @inlinable
    func take() -> State {
        var taken = State()
        state.withLock { state in
            swap(&state.subscribers, &taken.subscribers)
            swap(&state.news, &taken.news)
            state.isTaken = true
        }
        return taken
    }

    /// Returns the subscribers, without those that were cancelled meanwhile. If the end came meanwhile, they are
    /// notified of it.
    @inlinable
    func putBack(_ taken: inout State) {
        while true {
            let isBack = state.withLock { state in
                guard !state.hasChanged else { return false }
                swap(&state.subscribers, &taken.subscribers)
                state.isTaken = false
                return true
            }
            if isBack { return }
            applyChanges(to: &taken)
        }
    }

    @usableFromInline
    func applyChanges(to taken: inout State) {
        let (cancelled, isOver) = state.withLock { state in
            defer { (state.cancelled, state.hasChanged) = ([], false) }
            return (state.cancelled, state.isOver)
        }
        taken.subscribers.removeAll { subscriber in cancelled.contains { $0 === subscriber.listener } }
        guard isOver else { return }
        for subscriber in taken.subscribers { subscriber.listener.finish() }
        taken.subscribers = []
    }

    @inlinable
    func look(at whole: Whole, _ state: inout State) {
        let (locator, areEqual) = (locator, areEqual)
        var (news, search) = (ContiguousArray<Notification>(), Finder.Cache())
        swap(&news, &state.news)
        collection.read(whole) { elements in
            state.subscribers.withUnsafeMutableBufferPointer { subscribers in
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
                    news.append(
                        Notification(subscribers[index].listener, element, before: subscribers[index].last))
                    subscribers[index].last = element
                }
            }
        }
        swap(&news, &state.news)
    }

    /// Notifies all subscribers of the end, pending ones included.
    @usableFromInline
    func end() {
        let arrivals = door.withLock { door in
            defer { door = PendingSubscribers(isOver: true) }
            return door.arrivals
        }
        let subscribers = state.withLock { state in
            defer { (state.subscribers, state.isOver, state.hasChanged) = ([], true, state.isTaken) }
            return state.subscribers
        }
        for subscriber in subscribers + arrivals.map(\.subscriber) { subscriber.listener.finish() }
    }

    // MARK: Subscribing

    /// Subscribes to an element; see ``Source/attach``.
    ///
    /// - Parameters:
    ///   - connection: Holds the subscription to the whole; retained by the token.
    ///   - find: Gets the element of a whole value.
    @usableFromInline
    func subscribe(
        to id: Finder.ID, _ connection: ElementConnection, replayCurrent: Bool,
        _ find: @escaping @Sendable (Whole) -> Element?, _ body: @escaping @Sendable (Element?) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        let listener = Listener<Element?>(body, onEnd: onEnd)
        if replayCurrent { listener.beginReplay() }
        ReducerScope.afterReducer { [self] in
            // A reducer that subscribed may have cancelled before it returned.
            guard !listener.isCancelled else { return }
            connection.connect()
            let (present, isOver) = arrive(Subscriber(id, listener))
            if replayCurrent, let present {
                listener.replay(find(present()), then: source.identity.onOwnerThread)
            }
            if isOver { listener.finish() }
        }
        // Weak, so that a token that outlives the system does not retain what the closure captures.
        return SubscriptionToken(endsOnRelease: true) { [self, connection, weak listener] in
            guard let listener else { return }
            listener.retire()
            remove(listener)
            withExtendedLifetime(connection) {}
        }
    }

    /// Enqueues a subscriber, which then misses no later change.
    ///
    /// - Returns: The whole value at that moment, and whether the end had already come.
    private func arrive(_ subscriber: Subscriber) -> (present: (@Sendable () -> Whole)?, isOver: Bool) {
        var result: (present: (@Sendable () -> Whole)?, isOver: Bool) = (nil, false)
        entrance.enter { whole in
            let isOver = door.withLock { door in
                if !door.isOver { door.arrivals.append(PendingSubscriber(subscriber, whole)) }
                return door.isOver
            }
            result = (whole, isOver)
        }
        return result
    }

    @inlinable
    func find(_ id: Finder.ID, in whole: Whole) -> Element? {
        collection.read(whole) { elements in
            var (place, search) = (Finder.Place?.none, Finder.Cache())
            return locator.find(id, in: elements, &place, &search)
        }
    }

    /// Admits the pending subscribers, each with the element of the value at the time it subscribed.
    ///
    /// - Returns: The admitted subscribers.
    @inlinable
    func admitPending(_ state: inout State) -> [PendingSubscriber] {
        let arrivals = door.withLock { door in
            defer { if !door.arrivals.isEmpty { door.arrivals = [] } }
            return door.arrivals
        }
        for arrival in arrivals {
            var subscriber = arrival.subscriber
            subscriber.last = collection.read(arrival.whole()) { elements in
                var search = Finder.Cache()
                return locator.find(subscriber.id, in: elements, &subscriber.place, &search)
            }
            state.subscribers.append(subscriber)
        }
        return arrivals
    }

    private func remove(_ listener: Listener<Element?>) {
        let arrival = door.withLock { door in
            door.arrivals.firstIndex { $0.subscriber.listener === listener }.map {
                door.arrivals.remove(at: $0)
            }
        }
        let removed = state.withLock { state -> Subscriber? in
            if state.isTaken {
                state.cancelled.append(listener)
                state.hasChanged = true
            }
            let place = state.subscribers.firstIndex { $0.listener === listener }
            return place.map { state.subscribers.remove(at: $0) }
        }
        withExtendedLifetime((arrival, removed)) {}
    }
}
