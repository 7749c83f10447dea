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

    @inlinable
    init() {}

    @inlinable var isEmpty: Bool { all.isEmpty }

    /// - Returns: False if the list is closed, so that nothing is added.
    @discardableResult
    mutating func add(_ listener: Listener<Message>) -> Bool {
        guard !isClosed else { return false }
        all.insert(listener, at: all.firstIndex { $0.priority > listener.priority } ?? all.endIndex)
        return true
    }

    /// - Returns: The removed subscriber, to be released outside of the lock; nil if it is not in the list.
    mutating func remove(_ listener: Listener<Message>) -> Listener<Message>? {
        all.firstIndex { $0 === listener }.map { all.remove(at: $0) }
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
    /// Needed only if messages arrive while the present state is being delivered.
    private struct Buffer: Sendable {
        var messages: ContiguousArray<Message> = []
        var isOver = false
    }

    @usableFromInline
    enum Phase: UInt8, AtomicRepresentable, Sendable {
        /// Messages are delivered as they arrive.
        case live
        /// The present state is being delivered; nothing has arrived meanwhile.
        case replaying
        /// The present state is being delivered, and messages are buffered; left only under the buffer's lock, or by
        /// ``Listener/retire()``.
        case buffering
        /// Nothing is delivered any more.
        case over
    }

    @usableFromInline let phase = Atomic(Phase.live)
    let priority: Priority
    private let lazyBuffer = LazyLock<Buffer>()
    @usableFromInline let body: @Sendable (Message) -> Void
    private let onEnd: @Sendable () -> Void

    init(
        _ body: @escaping @Sendable (Message) -> Void, _ priority: Priority = .subscriber,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        (self.body, self.priority, self.onEnd) = (body, priority, onEnd)
    }

    /// A listener that calls a callback, and retires it at the end.
    convenience init<Input>(
        _ callback: Callback<Input>, _ priority: Priority = .subscriber,
        _ input: @escaping @Sendable (Message) -> Input
    ) {
        self.init({ callback.call(input($0)) }, priority, onEnd: { callback.retire() })
    }

    /// Whether nothing is delivered any more.
    @usableFromInline var isCancelled: Bool { phase.load(ordering: .acquiring) == .over }

    private func transition(from before: Phase, to next: Phase) -> Bool {
        phase.compareExchange(expected: before, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    /// Calls `access` with the buffer, under its lock; returns nil unless the present state is being delivered.
    private func buffering<Result>(_ access: (inout Buffer) -> Result) -> Result? {
        _ = transition(from: .replaying, to: .buffering)
        guard phase.load(ordering: .acquiring) == .buffering else { return nil }
        return lazyBuffer.lock(Buffer()).withLock { buffer in
            phase.load(ordering: .acquiring) == .buffering ? access(&buffer) : nil
        }
    }

    // MARK: Delivering

    /// Delivers or buffers a message. Called by the owner of the loop.
    @inlinable
    func deliver(_ message: Message) {
        if phase.load(ordering: .acquiring) == .live { body(message) } else { keep(message) }
    }

    @usableFromInline
    func keep(_ message: Message) {
        let isKept = buffering { $0.messages.append(message) } != nil
        if !isKept, phase.load(ordering: .acquiring) == .live { body(message) }
    }

    // MARK: Delivering the present state

    /// Buffers messages from now on, until ``replay(_:on:)`` or ``join(_:)``. Called before the listener is shared
    /// with other threads.
    func beginReplay() { phase.store(.replaying, ordering: .releasing) }

    /// Delivers the present state synchronously, and what was buffered meanwhile where the owner delivers.
    func replay(_ present: Message, on scheduler: (any SerialScheduler)?) {
        body(present)
        if becomesLive() { return }
        let catchUp = { @Sendable [self] in
            while !becomesLive() { for message in takeBuffered() where !isCancelled { body(message) } }
        }
        if let scheduler, !scheduler.isCurrent { scheduler.schedule(catchUp) } else { catchUp() }
    }

    /// Delivers a state in place of what was buffered since ``beginReplay()``, and every message from now on. Called by
    /// the owner of the loop.
    func join(_ present: Message) {
        var isLive = transition(from: .replaying, to: .live)
        if !isLive {
            let dropped = takeBuffered { isLive = !$0.isOver && transition(from: .buffering, to: .live) }
            withExtendedLifetime(dropped) {}
        }
        if isLive { body(present) }
    }

    /// Ends the buffering if the buffer is empty; calls `onEnd` if the end came meanwhile.
    ///
    /// - Returns: False if messages are buffered, which have to be delivered first.
    private func becomesLive() -> Bool {
        if transition(from: .replaying, to: .live) { return true }
        let ending = buffering { buffer in
            guard buffer.messages.isEmpty else { return (isDone: false, isOver: false) }
            let isChanged = transition(from: .buffering, to: buffer.isOver ? .over : .live)
            return (isDone: true, isOver: isChanged && buffer.isOver)
        }
        if ending?.isOver == true { onEnd() }
        return ending?.isDone ?? true
    }

    /// Empties the buffer. The messages must be released outside of its lock.
    private func takeBuffered(_ change: (inout Buffer) -> Void = { _ in }) -> ContiguousArray<Message> {
        buffering { buffer in
            change(&buffer)
            defer { buffer.messages = [] }
            return buffer.messages
        } ?? []
    }

    // MARK: Ending

    /// Cancels the listener: nothing is delivered any more, not even the rest of a delivery in progress, and `onEnd` is
    /// not called.
    @usableFromInline
    func retire() {
        let before = phase.exchange(.over, ordering: .acquiringAndReleasing)
        if before == .buffering { lazyBuffer.ifUsed?.exchange(for: Buffer()) }
    }

    /// Calls `onEnd`, after the present state if that is being delivered; no further message is delivered.
    ///
    /// - Parameter deliversBuffered: Whether messages buffered while the present state is delivered are delivered as
    ///   well.
    func finish(deliversBuffered: Bool = false) {
        while !isCancelled {
            if transition(from: .live, to: .over) { return onEnd() }
            // If another thread delivers the present state, that thread calls `onEnd`.
            let dropped = buffering { buffer in
                buffer.isOver = true
                defer { if !deliversBuffered { buffer.messages = [] } }
                return buffer.messages
            }
            if dropped != nil { return }
        }
    }
}

/// The order in which the subscribers of a system are notified.
enum Priority: Int, Comparable {
    case binding, subscriber, callback

    static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
}

/// A list of subscribers of its own, for messages that no later subscriber has to catch up with.
@usableFromInline
final class Handlers<Input: Sendable>: Sendable {
    @usableFromInline let subscribers = Lock(Subscribers<Input>())
    private let counter: Counter?

    /// - Parameter counter: Counts the subscribers of several lists together.
    init(_ counter: Counter? = nil) { self.counter = counter }

    @inlinable var isEmpty: Bool { subscribers.withLock { $0.isEmpty } }

    /// Adds a callback. A closed list retires it instead.
    func add(_ callback: Callback<Input>) -> SubscriptionToken {
        let listener = Listener(callback) { $0 }
        if !change({ $0.add(listener) }) { callback.retire() }
        // Weak: a token that outlives the list retains no closure.
        return SubscriptionToken(endsOnRelease: false) { [weak self, weak listener, weak callback] in
            callback?.retire()
            if let listener { self?.remove(listener) }
        }
    }

    private func remove(_ listener: Listener<Input>) {
        listener.retire()
        let removed = change { $0.remove(listener) }
        withExtendedLifetime(removed) {}
    }

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
