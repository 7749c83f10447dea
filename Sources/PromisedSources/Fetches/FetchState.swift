internal import PromisedSystem

/// What is known of one key, who observes it, and what is to be done for it. One request runs at a time.
struct FetchState<Value: Sendable>: Sendable {
    /// So that the states of two keys are distinguished, by an exploration for instance.
    let key: EffectKey
    /// The value as the server said it last.
    var value: Value?
    /// When the value was fetched; nil if there is none, or if it was invalidated.
    var fetchedAt: Duration?
    /// Of the last fetch.
    var failure: FetchFailure?
    /// How long a value is fresh for each observer, sorted.
    var observers: [Duration] = []
    /// The changes that the server has not answered yet, in order. They are sent one after the other.
    var changes: [FetchChange<Value>] = []
    /// Whether a fetch waits: for the changes, or for the network.
    var wantsFetch = false
    /// Whether the fetch that waits or is running is wanted without an observer, too.
    var isPrefetching = false
    var running: EntryRequest?
    var isOnline: Bool
    /// Whether there may be something to keep, from the first use on until it is discarded.
    var isUsed = false
    /// Alternates, so that two fetches in a row are two requests.
    var isOddFetch = false
    /// Alternates, so that a new value is noticed although values can't be compared.
    var isOddValue = false

    init(_ key: EffectKey, isOnline: Bool) { (self.key, self.isOnline) = (key, isOnline) }

    /// The value with the guesses of all changes that are not answered.
    var shown: Value? {
        guard var shown = value else { return nil }
        for change in changes { change.guess(&shown) }
        return shown
    }

    var isFetching: Bool { if case .fetch = running { true } else { false } }

    /// Whether a fetched value will come without anything else happening.
    var isComing: Bool { isFetching || wantsFetch && isOnline }

    /// Equal while it is unused for one and the same period; nil while it is in use, or was discarded.
    ///
    /// A change is never discarded, so it counts as a use.
    var unused: [EntryRequest]? {
        isUsed && observers.isEmpty && changes.isEmpty ? [running].compactMap(\.self) : nil
    }
}

/// The request that is running.
enum EntryRequest: Sendable, Hashable {
    case fetch(isOdd: Bool)
    /// The first change, by its number.
    case change(Int)
}

extension FetchState {
    mutating func reduce(_ event: FetchEvent<Value>) {
        switch event {
        case .online(let isOnline, let now):
            let isBack = isOnline && !self.isOnline
            self.isOnline = isOnline
            if isBack { refreshStale(now) }
        case .observed(let freshFor, let now):
            isUsed = true
            observers = (observers + [freshFor]).sorted()
            fetchUnlessFresh(for: freshFor, now)
        case .unobserved(let freshFor): removeObserver(freshFor)
        case .prefetch(let freshFor, let now):
            isUsed = true
            fetchUnlessFresh(for: freshFor, now)
            isPrefetching = wantsFetch || isFetching
        case .refresh: if !isFetching { wantsFetch = true }
        case .refreshStale(let now): refreshStale(now)
        case .invalidated: invalidate()
        case .change(let change):
            isUsed = true
            add(change)
        case .provided(let update, let now): provided(update, now)
        case .fetched(let value, let now): fetched(value, now)
        case .fetchFailed(let failure):
            endFetch()
            self.failure = failure.after(self.failure)
        case .changed(let update, let now, let change): changed(update, now, change)
        case .changeFailed(_, let change): endChange(change)
        case .unused: self = FetchState(key, isOnline: isOnline)
        }
        startNext()
    }

    /// Starts what is next, if nothing is running: the changes first, so that one fetch has the effect of all of them.
    private mutating func startNext() {
        guard isOnline, running == nil else { return }
        if let change = changes.first {
            running = .change(change.number)
        } else if wantsFetch {
            wantsFetch = false
            isOddFetch.toggle()
            running = .fetch(isOdd: isOddFetch)
        }
    }

    private mutating func fetchUnlessFresh(for freshFor: Duration, _ now: Duration) {
        if let fetchedAt, now - fetchedAt < freshFor { return }
        if !isFetching { wantsFetch = true }
    }

    private mutating func refreshStale(_ now: Duration) {
        if let shortest = observers.first { fetchUnlessFresh(for: shortest, now) }
    }

    /// With the last observer go the requests that were made for observers.
    private mutating func removeObserver(_ freshFor: Duration) {
        if let index = observers.firstIndex(of: freshFor) { observers.remove(at: index) }
        guard observers.isEmpty else { return }
        if !isPrefetching { endFetch() }
        changes.removeAll { $0.part != nil }
        if case .change(let number) = running, !changes.contains(where: { $0.number == number }) {
            running = nil
        }
    }

    /// Cancels the fetch, or stops it from waiting.
    private mutating func endFetch() {
        (wantsFetch, isPrefetching) = (false, false)
        if isFetching { running = nil }
    }

    /// A fetch that is running is made again: its answer may be older than the reason.
    private mutating func invalidate() {
        fetchedAt = nil
        if isFetching {
            (running, wantsFetch) = (nil, true)
        } else if !observers.isEmpty {
            wantsFetch = true
        }
    }

    private mutating func provided(_ update: FetchUpdate<Value>, _ now: Duration) {
        guard apply(update) else { return }
        isUsed = true
        endFetch()
        (fetchedAt, failure) = (now, nil)
    }

    private mutating func fetched(_ value: Value, _ now: Duration) {
        apply(FetchUpdate(value))
        endFetch()
        (fetchedAt, failure) = (now, nil)
    }

    /// All that becomes of the value of the server is a function of the one that is there when it comes, and the
    /// guesses are functions of that: so none of them is lost, in whichever order they come.
    ///
    /// - Returns: Whether there is a value.
    @discardableResult
    private mutating func apply(_ update: FetchUpdate<Value>) -> Bool {
        update.apply(to: &value)
        if value != nil { isOddValue.toggle() }
        return value != nil
    }

    private mutating func add(_ change: FetchChange<Value>) {
        if let part = change.part, observers.isEmpty || changes.contains(where: { $0.part == part }) {
            return
        }
        let numbers = changes.map(\.number)
        var change = change
        change.number = (0...changes.count).first { !numbers.contains($0) } ?? 0
        changes.append(change)
    }

    /// The age of a value is that of its fetch: what has changed may be less than all of it. If there is none that
    /// could be changed, it is fetched.
    private mutating func changed(_ update: FetchUpdate<Value>, _ now: Duration, _ change: FetchChange<Value>)
    {
        let isFirst = value == nil
        if !apply(update) {
            (wantsFetch, isPrefetching) = (true, true)
        } else if isFirst {
            (fetchedAt, failure) = (now, nil)
        }
        endChange(change)
    }

    private mutating func endChange(_ change: FetchChange<Value>) {
        changes.removeAll { $0.number == change.number }
        if running == .change(change.number) { running = nil }
    }
}

extension FetchState: Equatable where Value: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        left.key == right.key && left.value == right.value && left.fetchedAt == right.fetchedAt
            && left.failure == right.failure && left.observers == right.observers
            && left.changes == right.changes && left.shown == right.shown
            && left.wantsFetch == right.wantsFetch && left.isPrefetching == right.isPrefetching
            && left.running == right.running
            && left.isOnline == right.isOnline && left.isUsed == right.isUsed
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
        hasher.combine(changes)
        hasher.combine(wantsFetch)
        hasher.combine(isPrefetching)
        hasher.combine(running)
        hasher.combine(isOnline)
        hasher.combine(isUsed)
    }
}
