internal import Promise

/// The subscriptions of objects to one source and its parts. The objects are referenced weakly.
///
/// There is no notification when an object is deallocated. Its entries are removed at the next delivery, or when enough
/// further entries have been added.
///
/// Weak references are loaded outside of the lock, as releasing the loaded reference may deallocate the object. Keys of
/// parts are hashed and compared outside of it too, as they contain values of user types.
final class ObjectSubscriptions: Sendable {
    private struct State {
        /// By the hash of ``ObjectSubscription/ID``.
        var entries: [Int: [ObjectSubscription]] = [:]
        var count = 0
        /// The count above which entries of deallocated objects are removed.
        var limit = 16
    }

    private let state = Lock(State())

    /// The number of subscriptions to a part by objects that are still alive.
    func count(at part: PartKey) -> Int {
        let entries = state.withLock { $0.entries }
        return entries.values.joined().count { $0.id.part == part && $0.object != nil }
    }

    func add(_ entry: ObjectSubscription) {
        let all = state.withLock { state -> [Int: [ObjectSubscription]] in
            state.entries[entry.hash, default: []].append(entry)
            state.count += 1
            guard state.count > state.limit else { return [:] }
            // Restored after the removal, so that no other thread starts one meanwhile.
            state.limit = .max
            return state.entries
        }
        guard !all.isEmpty else { return }
        for entry in all.values.joined() where entry.object == nil { entry.end() }
        state.withLock { $0.limit = max(16, $0.count * 2) }
    }

    /// The rendering for which a renderer is subscribed to a part; nil if it is not subscribed.
    func rendering(of object: AnyObject, at part: PartKey) -> Rendering? {
        let id = ObjectSubscription.ID(part: part, object: ObjectIdentifier(object))
        // A deallocated object may have had the same address.
        return entries(of: id).first { $0.object != nil && $0.rendering != nil }?.rendering
    }

    func remove(_ entry: ObjectSubscription) {
        state.withLock { state in
            guard let place = state.entries[entry.hash]?.firstIndex(where: { $0 === entry }) else { return }
            state.entries[entry.hash]?.remove(at: place)
            state.count -= 1
            if state.entries[entry.hash]?.isEmpty == true { state.entries[entry.hash] = nil }
        }
    }

    func end(all object: AnyObject, at part: PartKey) {
        let id = ObjectSubscription.ID(part: part, object: ObjectIdentifier(object))
        for entry in entries(of: id) { entry.end() }
    }

    private func entries(of id: ObjectSubscription.ID) -> [ObjectSubscription] {
        let hash = id.hashValue
        return state.withLock { $0.entries[hash] ?? [] }.filter { $0.id == id }
    }
}

/// A subscription of an object, which ends with the object or with the source's owner.
///
/// It is retained by what it subscribed to: neither a token nor the source has to be retained.
final class ObjectSubscription: Sendable {
    struct ID: Hashable, Sendable {
        let part: PartKey
        let object: ObjectIdentifier
    }

    private struct State {
        var token: SubscriptionToken?
        var isOver = false
    }

    weak let object: (any AnyObject & Sendable)?
    let id: ID
    fileprivate let hash: Int
    let rendering: Rendering?
    private let state = Lock(State())
    private weak let list: ObjectSubscriptions?
    private let onEnd: @Sendable () -> Void

    init(
        _ object: any AnyObject & Sendable, to part: PartKey, _ list: ObjectSubscriptions,
        for rendering: Rendering? = nil,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        (self.object, self.rendering) = (object, rendering)
        id = ID(part: part, object: ObjectIdentifier(object))
        hash = id.hashValue
        (self.list, self.onEnd) = (list, onEnd)
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
        onEnd()
        finish()
    }

    /// Removes the subscription after the source has ended. A no-op if called again.
    func finish() {
        let (isFirst, token) = state.withLock { state in
            defer { state.isOver = true }
            return (!state.isOver, state.token.take())
        }
        guard isFirst else { return }
        token?.cancel()
        list?.remove(self)
    }
}
