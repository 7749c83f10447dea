internal import Promise
internal import Synchronization

/// The subscriptions of objects to one source and its parts. The objects are referenced weakly.
///
/// There is no notification when an object is deallocated. Its subscriptions are removed at the next delivery, or when
/// enough further ones have been added.
///
/// Weak references are loaded outside of the lock, as releasing the loaded reference may deallocate the object. Keys of
/// parts are compared outside of it too, as they contain values of user types.
final class ObjectSubscriptions: Sendable {
    private struct SubscriptionTable {
        var entries: [ObjectIdentifier: [ObjectSubscription]] = [:]
        var count = 0
        /// The count above which subscriptions of deallocated objects are removed.
        var limit = 16
    }

    private let state = Lock(SubscriptionTable())

    /// The number of subscriptions to a part by objects that are still alive.
    func count(at part: PartKey) -> Int {
        state.withLock { $0.entries }.values.joined().count { $0.part == part && $0.object != nil }
    }

    func add(_ entry: ObjectSubscription) {
        let all = state.withLock { state -> [ObjectSubscription] in
            state.entries[entry.id, default: []].append(entry)
            state.count += 1
            guard state.count > state.limit else { return [] }
            // Restored after the removal, so that no other thread starts one meanwhile.
            state.limit = .max
            return Array(state.entries.values.joined())
        }
        if all.isEmpty { return }
        for entry in all where entry.object == nil { entry.end() }
        state.withLock { $0.limit = max(16, $0.count * 2) }
    }

    /// Removes a subscription that has been added. Nothing is released under the lock, as the caller retains it.
    func remove(_ entry: ObjectSubscription) {
        state.withLock { state in
            state.count -= 1
            state.entries[entry.id]?.removeAll { $0 === entry }
            if state.entries[entry.id]?.isEmpty == true { state.entries[entry.id] = nil }
        }
    }

    /// The subscriptions of an object to a part.
    func all(of object: AnyObject, at part: PartKey) -> [ObjectSubscription] {
        let all = state.withLock { $0.entries[ObjectIdentifier(object)] ?? [] }
        // A deallocated object may have had the same address.
        return all.filter { $0.object === object && $0.part == part }
    }
}

/// A subscription of an object, which ends with the object or with the source's owner.
///
/// It is retained by what it subscribed to: neither a token nor the source has to be retained.
final class ObjectSubscription: Sendable {
    weak let object: (any AnyObject & Sendable)?
    let id: ObjectIdentifier
    let part: PartKey
    /// The object that renders; nil if the object is no renderer.
    let rendering: Rendering?
    private let token = AtomicLazyReference<SubscriptionToken>()
    private let isOver = Atomic(false)
    private weak let list: ObjectSubscriptions?
    private let retire: @Sendable () -> Void

    /// - Parameter retire: Stops the calls to the object, those in flight included.
    init(
        _ object: any AnyObject & Sendable, to part: PartKey, _ list: ObjectSubscriptions,
        for rendering: Rendering?, retire: @escaping @Sendable () -> Void
    ) {
        (self.object, id, self.part) = (object, ObjectIdentifier(object), part)
        (self.rendering, self.list, self.retire) = (rendering, list, retire)
    }

    /// Stores the token of the subscription, or cancels it if this has ended meanwhile.
    func begin(_ token: SubscriptionToken) {
        _ = self.token.storeIfNil(token)
        // Changes nothing, but is ordered with the exchange in `finish()`: one of the two sees the other's change.
        if isOver.logicalOr(false, ordering: .acquiringAndReleasing).oldValue { token.cancel() }
    }

    /// Cancels the subscription: nothing is delivered any more.
    func end() {
        retire()
        finish()
    }

    /// Removes the subscription after the source has ended. A no-op if called again.
    func finish() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        token.load()?.cancel()
        list?.remove(self)
    }
}
