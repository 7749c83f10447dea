internal import Promise

/// The subscriptions that objects have to one source and its parts, which hold those weakly.
///
/// Nothing tells when an object goes. Its entries go when they are told the next time, or when others have come.
///
/// Objects are looked at outside of the lock, as that may be what they are released after, and so are the keys of parts,
/// in which there are values of the user's.
final class ObjectSubscriptions: Sendable {
    private struct State {
        /// By the hashes of what they are subscribed to.
        var entries: [Int: [ObjectSubscription]] = [:]
        var count = 0
        /// How many there may be until the dead are looked for.
        var limit = 16
    }

    private let state = Lock(State())

    /// Those to one part, of objects that are still there.
    func count(at part: PartKey) -> Int {
        let entries = state.withLock { $0.entries }
        return entries.values.joined().count { $0.id.part == part && $0.object != nil }
    }

    func add(_ entry: ObjectSubscription) {
        let all = state.withLock { state -> [Int: [ObjectSubscription]] in
            state.entries[entry.hash, default: []].append(entry)
            state.count += 1
            guard state.count > state.limit else { return [:] }
            // Until the dead were looked for.
            state.limit = .max
            return state.entries
        }
        guard !all.isEmpty else { return }
        for entry in all.values.joined() where entry.object == nil { entry.end() }
        state.withLock { $0.limit = max(16, $0.count * 2) }
    }

    /// Why a renderer is subscribed to a part; nil if it is not.
    func rendering(of object: AnyObject, at part: PartKey) -> Rendering? {
        let id = ObjectSubscription.ID(part: part, object: ObjectIdentifier(object))
        // At the address of this object there may have been another.
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
