internal import Promise

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
            let before = subscribers.count
            defer { counter?.add(subscribers.count - before) }
            return body(&subscribers)
        }
    }

    /// Calls the callbacks that are in the list now, without those that are removed before they are reached.
    ///
    /// - Parameter input: Evaluated once, and only if the list is not empty.
    @inlinable
    func call(_ input: @autoclosure () -> Input) {
        let snapshot = subscribers.withLock { $0.snapshot }
        if !snapshot.isEmpty { snapshot.notify(input()) }
    }
}
