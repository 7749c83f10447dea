internal import PromisedSystem

/// The value of one key, its observers, and its pending requests. One request runs at a time.
struct FetchState<Value: Sendable>: Sendable {
    /// So that the states of two keys are distinguished, by an exploration for instance.
    let key: EffectKey
    let network: FetchOptions.Network
    /// The value as the server said it last.
    var value: Value?
    /// When the value was fetched; nil if there is none, or if it was invalidated.
    var fetchedAt: Duration?
    /// Of the last fetch.
    var failure: FetchFailure?
    /// When that has failed; nil if it does not count any more.
    var failedAt: Duration?
    /// How long a value is fresh for each observer, sorted.
    var observers: [Duration] = []
    /// Observers that have left, and count until they have been away for a while: one that comes back is the same.
    var leaving: [LeavingObserver] = []
    /// The changes that the server has not answered yet, in order. They are sent one after the other.
    var changes: [FetchChange<Value>] = []
    /// Whether a fetch waits: for the changes, or for the network.
    var wantsFetch = false
    /// Whether the fetch that waits or is running is wanted without an observer, too.
    var isPrefetching = false
    var running: EntryRequest?
    var isOnline: Bool
    /// Whether a request that was tried while offline has failed.
    var hasTried = false
    /// Whether the value is stored.
    var isStored = false
    /// Whether there may be something to keep, from the first use on until it is discarded.
    var isUsed = false
    /// Alternates, so that two fetches in a row are two requests.
    var isOddFetch = false
    /// Alternates, so that a new value is noticed although values can't be compared.
    var isOddValue = false

    init(_ key: EffectKey, _ network: FetchOptions.Network = .needed, isOnline: Bool) {
        (self.key, self.network, self.isOnline) = (key, network, isOnline)
    }

    /// The value with the guesses of all changes that are not answered.
    var shown: Value? {
        guard var shown = value else { return nil }
        for change in changes { change.guess(&shown) }
        return shown
    }

    var isObserved: Bool { !observers.isEmpty || !leaving.isEmpty }
    var isFetching: Bool { if case .fetch = running { true } else { false } }

    /// Whether a request can be started.
    var canStart: Bool { isOnline || network == .notNeeded || network == .triedFirst && !hasTried }

    /// Whether a fetched value will come without anything else happening.
    var isComing: Bool { isFetching || wantsFetch && canStart }

    /// The running timer; equal while it is the same one.
    ///
    /// A change is never discarded, so it counts as a use.
    var timer: EntryTimer? {
        if !leaving.isEmpty { return .leaving(leaving) }
        return isUsed && !isObserved && changes.isEmpty ? .unused(running) : nil
    }

    /// Whether a fetch follows after a time. Observers that come and go change nothing.
    var isPolling: Bool { isObserved && canStart && running == nil && !wantsFetch }
}

/// A timer of an entry.
enum EntryTimer: Sendable, Hashable {
    case leaving([LeavingObserver])
    /// The value is discarded, and so is the request.
    case unused(EntryRequest?)
}

/// The request that is running.
enum EntryRequest: Sendable, Hashable {
    case fetch(isOdd: Bool)
    /// The first change, by its number.
    case change(Int)
}

/// An observer that has left.
struct LeavingObserver: Sendable, Hashable {
    let freshFor: Duration
    /// How long it has to be away.
    let grace: Duration
}

extension FetchState: Equatable where Value: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        left.key == right.key && left.value == right.value && left.fetchedAt == right.fetchedAt
            && left.failure == right.failure && left.failedAt == right.failedAt
            && left.observers == right.observers && left.leaving == right.leaving
            && left.changes == right.changes && left.shown == right.shown
            && left.wantsFetch == right.wantsFetch && left.isPrefetching == right.isPrefetching
            && left.running == right.running && left.isOnline == right.isOnline
            && left.hasTried == right.hasTried && left.isUsed == right.isUsed
            && left.isOddFetch == right.isOddFetch && left.isOddValue == right.isOddValue
    }
}

extension FetchState: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(value)
        hasher.combine(fetchedAt)
        hasher.combine(failure)
        hasher.combine(observers)
        hasher.combine(leaving)
        hasher.combine(changes)
        hasher.combine(wantsFetch)
        hasher.combine(isPrefetching)
        hasher.combine(running)
        hasher.combine(isOnline)
        hasher.combine(isUsed)
    }
}
