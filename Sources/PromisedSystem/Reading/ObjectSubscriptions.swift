internal import Promise

/// The subscriptions of objects to one source and its parts. The objects are referenced weakly.
///
/// There is no notification when an object is deallocated. Its subscriptions are removed at the next delivery, or when
/// enough further ones have been added.
///
/// Weak references are loaded outside of the lock, as releasing the loaded reference may deallocate the object. Keys of
/// parts are compared outside of it too, as they contain values of user types.
final class ObjectSubscriptions: Sendable {
    private struct State {
        var entries: [ObjectIdentifier: [ObjectSubscription]] = [:]
        var count = 0
        /// The count above which subscriptions of deallocated objects are removed.
        var limit = 16
    }

    private let state = Lock(State())

    /// The number of subscriptions to a part by objects that are still alive.
    func count(at part: PartKey) -> Int {
        let entries = state.withLock { $0.entries }
        return entries.values.joined().count { $0.part == part && $0.object != nil }
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
        guard !all.isEmpty else { return }
        for entry in all where entry.object == nil { entry.end() }
        state.withLock { $0.limit = max(16, $0.count * 2) }
    }

    func remove(_ entry: ObjectSubscription) {
        state.withLock { state in
            guard let place = state.entries[entry.id]?.firstIndex(where: { $0 === entry }) else { return }
            state.entries[entry.id]?.remove(at: place)
            state.count -= 1
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
    private struct State {
        var token: SubscriptionToken?
        var isOver = false
    }

    weak let object: (any AnyObject & Sendable)?
    let id: ObjectIdentifier
    let part: PartKey
    /// What the subscription renders to; nil if the object is no renderer.
    let rendering: Rendering?
    private let state = Lock(State())
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

    func begin(_ token: SubscriptionToken) {
        let isOver = state.withLock { state in
            if !state.isOver { state.token = token }
            return state.isOver
        }
        if isOver { token.cancel() }
    }

    /// Cancels the subscription: nothing is delivered any more.
    func end() {
        retire()
        finish()
    }

    /// Removes the subscription after the source has ended. A no-op if called again.
    func finish() {
        let token = state.withLock { state in
            state.isOver = true
            return state.token.take()
        }
        token?.cancel()
        list?.remove(self)
    }
}
