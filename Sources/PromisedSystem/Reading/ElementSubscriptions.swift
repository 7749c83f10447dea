public import Promise

/// Everyone who reads an element of one collection: they are told together, so that one look at the collection does for
/// them all.
///
/// An event for one of a thousand elements that are read would else be a thousand closures to call, each of which
/// finds its element anew. Here it is one walk, in which every reader's element is where it was the last time.
@usableFromInline
final class ElementSubscriptions<Whole: Sendable, Finder: ElementLocator>: Sendable {
    @usableFromInline typealias Element = Finder.Element

    /// One reader.
    @usableFromInline
    struct Subscriber: Sendable {
        @usableFromInline let id: Finder.ID
        /// Where the element was.
        @usableFromInline var place: Finder.Place?
        /// What the reader knows.
        @usableFromInline var last: Element?
        @usableFromInline let listener: Listener<Element?>

        @inlinable
        init(_ id: Finder.ID, _ listener: Listener<Element?>) { (self.id, self.listener) = (id, listener) }
    }

    /// A reader who has not been given a seat yet, and the whole that it has found.
    @usableFromInline
    struct PendingSubscriber: Sendable {
        @usableFromInline var seat: Subscriber
        @usableFromInline let whole: @Sendable () -> Whole

        @inlinable
        init(_ seat: Subscriber, _ whole: @escaping @Sendable () -> Whole) {
            (self.seat, self.whole) = (seat, whole)
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
        /// What was there before: its end must not come under the lock.
        @usableFromInline let before: Element?

        @inlinable
        init(_ listener: Listener<Element?>, _ element: Element?, before: Element?) {
            (self.listener, self.element, self.before) = (listener, element, before)
        }
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var seats: ContiguousArray<Subscriber> = []
        @usableFromInline var news: ContiguousArray<Notification> = []

        @inlinable
        init() {}
    }

    private let source: Source<Whole>
    @usableFromInline let read: @Sendable () -> Whole
    private let entrance: Source<Whole>.Entrance
    @usableFromInline let locator: Finder
    @usableFromInline let collection: Projection<Whole, Finder.Elements>
    @usableFromInline let areEqual: @Sendable (Element?, Element?) -> Bool
    /// Held while the user's comparing is done, which is pure and yet may read.
    @usableFromInline let room = Lock(State())
    /// Taken by those who hold the lock of the system: nothing of the user's is done meanwhile.
    @usableFromInline let door = Lock(PendingSubscribers())

    /// - Parameters:
    ///   - source: The whole.
    ///   - entrance: The way into that.
    @usableFromInline
    init(
        _ source: Source<Whole>, _ entrance: Source<Whole>.Entrance, _ locator: Finder,
        _ collection: Projection<Whole, Finder.Elements>,
        _ areEqual: @escaping @Sendable (Element?, Element?) -> Bool
    ) {
        (self.source, read, self.entrance) = (source, source.read, entrance)
        (self.locator, self.collection, self.areEqual) = (locator, collection, areEqual)
    }

    /// The element now.
    @inlinable
    func element(_ id: Finder.ID) -> Element? { find(id, in: read()) }

    // MARK: Telling

    /// For the owner, who is one at a time.
    @inlinable
    func told(_ whole: Whole) {
        let work = ReducerScope(for: .comparing)
        // The list is lent to whoever tells, and so is made once.
        var arrivals: [PendingSubscriber] = []
        var news = room.withLock { room in
            arrivals = admitPending(&room)
            look(at: whole, &room)
            var news: ContiguousArray<Notification> = []
            swap(&news, &room.news)
            return news
        }
        _ = consume work
        // The whole that an arrival has found may be an old one by now: it is released here and not under the lock.
        withExtendedLifetime(arrivals) {}
        guard !news.isEmpty else { return }
        for item in news { item.listener.tell(item.element) }
        news.removeAll(keepingCapacity: true)
        room.withLock { swap(&news, &$0.news) }
    }

    @inlinable
    func look(at whole: Whole, _ room: inout State) {
        let (locator, areEqual) = (locator, areEqual)
        var (news, search) = (ContiguousArray<Notification>(), Finder.Cache())
        swap(&news, &room.news)
        collection.read(whole) { elements in
            room.seats.withUnsafeMutableBufferPointer { seats in
                for index in seats.indices {
                    if locator.isUntouched(
                        &seats[index].last, seats[index].id, in: elements, seats[index].place)
                    {
                        continue
                    }
                    let element = locator.find(seats[index].id, in: elements, &seats[index].place, &search)
                    if areEqual(seats[index].last, element) { continue }
                    news.append(Notification(seats[index].listener, element, before: seats[index].last))
                    seats[index].last = element
                }
            }
        }
        swap(&news, &room.news)
    }

    /// There will be no more changes.
    @usableFromInline
    func end() {
        let arrivals = door.withLock { door in
            defer { door = PendingSubscribers(isOver: true) }
            return door.arrivals
        }
        let room = room.withLock { room in
            defer { room = State() }
            return room
        }
        for seat in room.seats + arrivals.map(\.seat) { seat.listener.finish() }
    }

    // MARK: Coming and going

    /// Subscribes to an element; see ``Source/attach``.
    ///
    /// - Parameters:
    ///   - connection: Keeps these readers being told.
    ///   - find: Finds the element in a whole.
    @usableFromInline
    func subscribe(
        to id: Finder.ID, _ connection: ElementConnection, replayCurrent: Bool,
        _ find: @escaping @Sendable (Whole) -> Element?, _ body: @escaping @Sendable (Element?) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        let listener = Listener<Element?>(body, onEnd: onEnd)
        if replayCurrent { listener.gather() }
        ReducerScope.afterReducer { [self] in
            // Cancelled meanwhile, while a reducer that subscribed went on.
            guard !listener.isCancelled else { return }
            connection.connect()
            let (present, isOver) = arrive(Subscriber(id, listener))
            if replayCurrent, let present {
                listener.replay(find(present()), then: source.identity.onOwnerThread)
            }
            if isOver { listener.finish() }
        }
        // Weak: a token that outlives the system does not keep what the reader holds.
        return SubscriptionToken(endsOnRelease: true) { [self, connection, weak listener] in
            guard let listener else { return }
            listener.retire()
            ReducerScope.afterReducer { [self] in remove(listener) }
            withExtendedLifetime(connection) {}
        }
    }

    /// - Returns: What was there when it came, after which it misses nothing, and whether the end had come.
    private func arrive(_ seat: Subscriber) -> (present: (@Sendable () -> Whole)?, isOver: Bool) {
        var result: (present: (@Sendable () -> Whole)?, isOver: Bool) = (nil, false)
        entrance.enter { whole in
            let isOver = door.withLock { door in
                if !door.isOver { door.arrivals.append(PendingSubscriber(seat, whole)) }
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

    /// Gives seats to those who have come, each of whom knows the element that it has found.
    ///
    /// - Returns: Who they are.
    @inlinable
    func admitPending(_ room: inout State) -> [PendingSubscriber] {
        let arrivals = door.withLock { door in
            defer { if !door.arrivals.isEmpty { door.arrivals = [] } }
            return door.arrivals
        }
        for arrival in arrivals {
            var seat = arrival.seat
            seat.last = collection.read(arrival.whole()) { elements in
                var search = Finder.Cache()
                return locator.find(seat.id, in: elements, &seat.place, &search)
            }
            room.seats.append(seat)
        }
        return arrivals
    }

    private func remove(_ listener: Listener<Element?>) {
        let removed = room.withLock { room -> (Subscriber?, PendingSubscriber?) in
            if let index = room.seats.firstIndex(where: { $0.listener === listener }) {
                return (room.seats.remove(at: index), nil)
            }
            return door.withLock { door in
                (
                    nil,
                    door.arrivals.firstIndex { $0.seat.listener === listener }.map {
                        door.arrivals.remove(at: $0)
                    }
                )
            }
        }
        withExtendedLifetime(removed) {}
    }
}

/// What keeps the readers of some collection being told, for as long as somebody has a token or a source of theirs.
///
/// An object of its own, as it is referred to weakly: that would make every use of the readers slower.
@usableFromInline
final class ElementConnection: Sendable {
    let readers: any AnyObject & Sendable
    private let subscribe: @Sendable () -> SubscriptionToken
    private let token = Lock<SubscriptionToken?>(nil)

    @usableFromInline
    init(_ readers: any AnyObject & Sendable, _ subscribe: @escaping @Sendable () -> SubscriptionToken) {
        (self.readers, self.subscribe) = (readers, subscribe)
    }

    /// Whoever comes while somebody else does this waits for it, so that nobody enters without being told afterwards.
    func connect() {
        token.withLock { token in if token == nil { token = subscribe() } }
    }
}

extension Origin {
    @usableFromInline static let comparing = Origin(#fileID, #line)
}
