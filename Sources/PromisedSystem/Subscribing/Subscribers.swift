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

    /// Nothing is released under the owner's lock, as the caller retains the subscriber.
    ///
    /// - Returns: False if it is not in the list.
    @discardableResult
    mutating func remove(_ listener: Listener<Message>) -> Bool {
        all.firstIndex { $0 === listener }.map { all.remove(at: $0) } != nil
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
