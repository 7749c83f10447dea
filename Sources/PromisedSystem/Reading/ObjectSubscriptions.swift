internal import Promise

/// The subscriptions that objects have to one source and its parts, which hold those weakly.
///
/// Nothing tells when an object goes. Its entries go when they are told the next time, or when others have come.
final class ObjectSubscriptions: Sendable {
    private struct State {
        var entries: [ObjectSubscription.ID: [ObjectSubscription]] = [:]
        var count = 0
        /// How many there may be until the dead are looked for.
        var limit = 16
    }

    private let state = Lock(State())

    /// Those to one part, of objects that are still there.
    func count(at part: PartKey) -> Int {
        state.withLock { $0.entries.values.joined().count { $0.id.part == part && $0.object != nil } }
    }

    func add(_ entry: ObjectSubscription) {
        let dead = state.withLock { state -> [ObjectSubscription] in
            state.entries[entry.id, default: []].append(entry)
            state.count += 1
            guard state.count > state.limit else { return [] }
            let dead = state.entries.values.joined().filter { $0.object == nil }
            state.limit = max(16, (state.count - dead.count) * 2)
            return dead
        }
        for entry in dead { entry.end() }
    }

    /// Why a renderer is subscribed to a part; nil if it is not.
    func rendering(of object: AnyObject, at part: PartKey) -> Rendering? {
        let id = ObjectSubscription.ID(part: part, object: ObjectIdentifier(object))
        // At the address of this object there may have been another.
        return state.withLock { $0.entries[id]?.first { $0.object != nil && $0.rendering != nil }?.rendering }
    }

    func remove(_ entry: ObjectSubscription) {
        state.withLock { state in
            guard let place = state.entries[entry.id]?.firstIndex(where: { $0 === entry }) else { return }
            state.entries[entry.id]?.remove(at: place)
            state.count -= 1
            if state.entries[entry.id]?.isEmpty == true { state.entries[entry.id] = nil }
        }
    }

    func end(all object: AnyObject, at part: PartKey) {
        let id = ObjectSubscription.ID(part: part, object: ObjectIdentifier(object))
        let entries = state.withLock { $0.entries[id] ?? [] }
        for entry in entries { entry.end() }
    }
}

/// One subscription of an object, which lasts as long as that or the source's owner.
///
/// It is kept by what it subscribed to: nobody need keep a token, nor the source.
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
        (self.list, self.onEnd) = (list, onEnd)
    }

    func begin(_ token: SubscriptionToken) {
        let isOver = state.withLock { state in
            if !state.isOver { state.token = token }
            return state.isOver
        }
        if isOver { token.cancel() }
    }

    /// Ends it at once: nothing is told any more.
    func end() {
        onEnd()
        finish()
    }

    /// Ends it when there is nothing more to be told.
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
