internal import Promise
public import Synchronization

/// A list of subscribers, in the order in which they are notified: by priority, and within one in order of arrival.
///
/// It is a value: its owner keeps it under a lock together with what the subscribers are notified of, takes a copy
/// under the lock, and notifies that outside of it.
@usableFromInline
struct Subscribers<Message: Sendable>: Sendable {
    @usableFromInline var all: ContiguousArray<Listener<Message>> = []
    private(set) var isClosed = false
    /// How many were ever added.
    private var count = 0

    @inlinable
    init() {}

    @inlinable var isEmpty: Bool { all.isEmpty }

    /// - Returns: False if the list is closed, so that nothing is added.
    @discardableResult
    mutating func add(_ listener: Listener<Message>) -> Bool {
        guard !isClosed else { return false }
        count &+= 1
        listener.number.store(count, ordering: .relaxed)
        all.insert(listener, at: place(of: listener))
        return true
    }

    /// Where a subscriber is, or where one that has just got its number belongs.
    private func place(of listener: Listener<Message>) -> Int {
        let position = listener.position
        var (low, high) = (all.startIndex, all.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Nothing is released under the owner's lock, as the caller retains the subscriber.
    ///
    /// - Returns: False if it is not in the list.
    @discardableResult
    mutating func remove(_ listener: Listener<Message>) -> Bool {
        let place = place(of: listener)
        guard place < all.endIndex, all[place] === listener else { return false }
        all.remove(at: place)
        return true
    }

    /// Removes all subscribers, and accepts no further ones.
    ///
    /// - Returns: The removed ones, to be notified of the end outside of the lock.
    mutating func close() -> Subscribers {
        defer { (all, isClosed) = ([], true) }
        return self
    }

    @inlinable
    func notify(_ message: Message) {
        for listener in all { listener.deliver(message) }
    }

    /// Notifies all subscribers of the end.
    ///
    /// - Parameter deliversBuffered: Whether one that still receives the present value gets what was buffered first.
    @usableFromInline
    func finish(deliversBuffered: Bool = false) {
        for listener in all { listener.finish(deliversBuffered: deliversBuffered) }
    }
}

/// A subscriber that receives messages one at a time and in order.
///
/// Only the owner of the loop delivers, or the operator that publishes, so normally nothing is buffered and no lock is
/// acquired. While the present state is delivered to a new listener, on the thread that subscribed, messages that
/// arrive meanwhile are buffered.
@usableFromInline
final class Listener<Message: Sendable>: Sendable {
    /// What arrived while the present state is being delivered; nil is the end.
    private typealias Buffer = ContiguousArray<Message?>

    @usableFromInline
    enum Phase: UInt8, AtomicRepresentable, Sendable {
        /// Messages are delivered as they arrive.
        case live
        /// Messages are dropped until the owner delivers the state present then.
        case waiting
        /// The present state is being delivered; nothing has arrived meanwhile.
        case replaying
        /// The present state is being delivered, and messages are buffered. Becomes live only under the buffer's lock.
        case buffering
        /// Nothing is delivered any more.
        case over
    }

    @usableFromInline let phase = Atomic(Phase.live)
    let priority: Priority
    /// Counted by its list, and set and read under the lock of that.
    let number = Atomic(0)
    var position: (Priority, Int) { (priority, number.load(ordering: .relaxed)) }
    /// Whether `onEnd` is called when the listener is retired, too.
    private let endsWhenRetired: Bool
    private let lazyBuffer = LazyLock<Buffer>()
    @usableFromInline let body: @Sendable (Message) -> Void
    private let onEnd: @Sendable () -> Void

    init(_ body: @escaping @Sendable (Message) -> Void, onEnd: @escaping @Sendable () -> Void) {
        (self.body, self.onEnd, priority, endsWhenRetired) = (body, onEnd, .subscriber, false)
    }

    /// A listener that calls a callback. At the end and when it is retired, the callback is retired, which also stops
    /// calls in flight.
    ///
    /// - Parameter input: What the callback is called with; it is not called if that is nil.
    init<Input>(
        _ callback: Callback<Input>, _ priority: Priority, _ input: @escaping @Sendable (Message) -> Input?
    ) {
        body = { if let input = input($0) { callback.call(input) } }
        onEnd = { callback.retire() }
        (self.priority, endsWhenRetired) = (priority, true)
    }

    /// Whether nothing is delivered any more.
    @usableFromInline var isCancelled: Bool { phase.load(ordering: .acquiring) == .over }

    private func transition(from before: Phase, to next: Phase) -> Bool {
        phase.compareExchange(expected: before, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    /// Calls `access` with the buffer, under its lock; returns nil unless the present state is being delivered.
    private func buffering<Result>(_ access: (inout Buffer) -> Result?) -> Result? {
        _ = transition(from: .replaying, to: .buffering)
        guard phase.load(ordering: .acquiring) == .buffering else { return nil }
        return lazyBuffer.lock([]).withLock { buffer in
            phase.load(ordering: .acquiring) == .buffering ? access(&buffer) : nil
        }
    }

    // MARK: Subscribing

    /// Joins a list of subscribers, and delivers the present value if requested. Deferred until a running reducer has
    /// returned, as that may hold what this needs.
    ///
    /// - Parameters:
    ///   - replayCurrent: Whether the present value is delivered, synchronously.
    ///   - scheduler: Where the owner of the list delivers; nil if that is the thread that publishes a value.
    ///   - join: Adds the listener to the list. Returns the present value at that moment, and whether the end had
    ///     already been delivered; nil if it was cancelled meanwhile.
    func begin(
        replayCurrent: Bool, on scheduler: (any SerialScheduler)?,
        join: @escaping @Sendable (Listener) -> (present: @Sendable () -> Message, isOver: Bool)?
    ) {
        if replayCurrent { begin(.replaying) }
        ReducerScope.afterReducer { [self] in
            // The reducer that subscribed may have cancelled before it returned.
            guard !isCancelled, let (present, isOver) = join(self) else { return }
            if replayCurrent { replay(present(), on: scheduler) }
            if isOver { finish() }
        }
    }

    /// Sets the phase. Called before the listener is shared with other threads.
    func begin(_ phase: Phase) { self.phase.store(phase, ordering: .releasing) }

    // MARK: Delivering

    /// Delivers or buffers a message. Called by the owner of the loop.
    @inlinable
    func deliver(_ message: Message) {
        if phase.load(ordering: .acquiring) == .live { body(message) } else { keep(message) }
    }

    @usableFromInline
    func keep(_ message: Message) {
        let isKept = buffering { $0.append(message) } != nil
        if !isKept, phase.load(ordering: .acquiring) == .live { body(message) }
    }

    /// Delivers the present state synchronously, and what was buffered meanwhile where the owner delivers.
    func replay(_ present: Message, on scheduler: (any SerialScheduler)?) {
        body(present)
        if transition(from: .replaying, to: .live) { return }
        let catchUp = { @Sendable [self] in
            while let messages = takeBuffered() {
                for message in messages where !isCancelled { if let message { body(message) } else { end() } }
            }
        }
        if let scheduler, !scheduler.isCurrent { scheduler.schedule(catchUp) } else { catchUp() }
    }

    /// Delivers the present state to a waiting listener, and every message from now on. Called by the owner of the
    /// loop.
    func join(_ present: @autoclosure () -> Message) {
        if transition(from: .waiting, to: .live) { body(present()) }
    }

    /// Empties the buffer, to be delivered and released outside of its lock. If it is empty, ends the buffering, and
    /// returns nil.
    private func takeBuffered() -> Buffer? {
        buffering { buffer in
            if buffer.isEmpty, transition(from: .buffering, to: .live) { return nil }
            defer { buffer = [] }
            return buffer
        }
    }

    // MARK: Ending

    /// Cancels the listener: nothing is delivered any more, not even the rest of a delivery in progress.
    func retire() {
        let before = phase.exchange(.over, ordering: .acquiringAndReleasing)
        if before == .buffering { lazyBuffer.ifUsed?.exchange(for: []) }
        if endsWhenRetired { onEnd() }
    }

    /// Calls `onEnd`, after the present state if that is being delivered; no further message is delivered.
    ///
    /// - Parameter deliversBuffered: Whether messages buffered while the present state is delivered are delivered as
    ///   well.
    func finish(deliversBuffered: Bool = false) {
        let before = buffering { buffer in
            defer { buffer = deliversBuffered ? buffer + [nil] : [nil] }
            return buffer
        }
        if before == nil { end() }
    }

    private func end() {
        if phase.exchange(.over, ordering: .acquiringAndReleasing) != .over { onEnd() }
    }
}

/// The order in which the subscribers of a system are notified.
enum Priority: Int, Comparable {
    case binding, subscriber, callback

    static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
}

/// A list of callbacks, for messages that no later subscriber has to catch up with.
@usableFromInline
final class Handlers<Input: Sendable>: SubscriberList {
    @usableFromInline let subscribers = Lock(Subscribers<Input>())
    private let counter: Counter?

    /// - Parameter counter: Counts the subscribers of several lists together.
    init(_ counter: Counter? = nil) { self.counter = counter }

    @inlinable var isEmpty: Bool { subscribers.withLock { $0.isEmpty } }

    func add(_ callback: Callback<Input>) -> SubscriptionToken { add(callback) { $0 } }

    /// Adds a callback. A closed list retires it instead.
    ///
    /// - Parameter output: What the callback is called with; it is not called if that is nil.
    func add<Output>(
        _ callback: Callback<Output>, _ output: @escaping @Sendable (Input) -> Output?
    ) -> SubscriptionToken {
        let listener = Listener(callback, .callback, output)
        if !change({ $0.add(listener) }) { listener.retire() }
        return token(of: listener, endsOnRelease: false)
    }

    func remove(_ listener: Listener<Input>) { _ = change { $0.remove(listener) } }

    /// Removes all callbacks; those added later are retired at once.
    func close() { change { $0.close() }.finish() }

    private func change<Result>(_ body: (inout Subscribers<Input>) -> Result) -> Result {
        subscribers.withLock { subscribers in
            let before = subscribers.all.count
            defer { counter?.add(subscribers.all.count - before) }
            return body(&subscribers)
        }
    }

    /// Calls the callbacks that are in the list now, without those that are removed before they are reached.
    ///
    /// - Parameter input: Evaluated once, and only if the list is not empty.
    @inlinable
    func call(_ input: @autoclosure () -> Input) {
        let snapshot = subscribers.withLock { $0 }
        if !snapshot.isEmpty { snapshot.notify(input()) }
    }
}

/// The number of callbacks in several lists together.
@usableFromInline
final class Counter: Sendable {
    @usableFromInline let value = Atomic(0)

    init() {}

    func add(_ number: Int) { value.wrappingAdd(number, ordering: .acquiringAndReleasing) }

    @inlinable var isZero: Bool { value.load(ordering: .acquiring) == 0 }
}
