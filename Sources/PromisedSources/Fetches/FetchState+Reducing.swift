internal import Promise
internal import PromisedSystem

extension FetchState {
    mutating func reduce(_ event: FetchEvent<Value>) {
        switch event {
        case .online(let isOnline, let now): changeNetwork(isOnline, now)
        case .observed(let freshFor, let now): addObserver(freshFor, now)
        case .unobserved(let freshFor, let grace):
            guard let index = observers.firstIndex(of: freshFor) else { break }
            observers.remove(at: index)
            leaving.append(LeavingObserver(freshFor: freshFor, grace: grace))
        case .left:
            leaving = []
            if !isObserved { endRequestsOfObservers() }
        case .prefetch(let freshFor, let now):
            isUsed = true
            fetchUnlessFresh(for: freshFor, now)
            isPrefetching = wantsFetch || isFetching
        case .refresh: if !isFetching { wantsFetch = true }
        case .refreshStale(let now): refreshStale(now)
        case .invalidated: invalidate()
        case .cancelled: cancel()
        case .removed(let clears): remove(clears: clears)
        case .change(let change):
            isUsed = true
            add(change)
        case .withdrawn(let request): withdraw(request)
        case .provided(let update, let now): provided(update, now)
        case .fetched(let value, let now): fetched(value, now)
        case .fetchFailed(let failure, let now): fetchFailed(failure, now)
        case .changed(let update, let now, let change): changed(update, now, change)
        case .changeFailed(_, let change): endChange(change)
        case .unused: discard()
        }
        startNext()
    }

    /// Starts the next request, if none is running: the changes first, so that one fetch has the effect of all of them.
    private mutating func startNext() {
        guard canStart, running == nil else { return }
        // A change is not tried without the network: if that failed, it would be lost.
        if let change = changes.first, isOnline || network == .notNeeded || change.part != nil {
            running = .change(change.number)
        } else if wantsFetch {
            wantsFetch = false
            isOddFetch.toggle()
            running = .fetch(isOdd: isOddFetch)
        }
    }

    // MARK: Observers

    /// An observer that comes back is the same as before: it requests nothing.
    private mutating func addObserver(_ freshFor: Duration, _ now: Duration) {
        isUsed = true
        observers = (observers + [freshFor]).sorted()
        if let index = leaving.firstIndex(where: { $0.freshFor == freshFor }) {
            leaving.remove(at: index)
        } else if failedAt.map({ now - $0 >= freshFor }) ?? true {
            fetchUnlessFresh(for: freshFor, now)
        }
    }

    /// With the last observer go the requests that were made for observers.
    private mutating func endRequestsOfObservers() {
        if !isPrefetching { endFetch() }
        changes.removeAll { $0.part != nil }
        endRequestOfNoChange()
    }

    private mutating func endRequestOfNoChange() {
        if case .change(let number) = running, !changes.contains(where: { $0.number == number }) {
            running = nil
        }
    }

    // MARK: Fetching

    private mutating func fetchUnlessFresh(for freshFor: Duration, _ now: Duration) {
        if let fetchedAt, now - fetchedAt < freshFor { return }
        if !isFetching { wantsFetch = true }
    }

    private mutating func refreshStale(_ now: Duration) {
        if let shortest = observers.first { fetchUnlessFresh(for: shortest, now) }
    }

    private mutating func changeNetwork(_ isOnline: Bool, _ now: Duration) {
        let isBack = isOnline && !self.isOnline
        (self.isOnline, hasTried) = (isOnline, false)
        if isBack, network != .notNeeded { refreshStale(now) }
    }

    /// Cancels the fetch, or stops it from waiting.
    private mutating func endFetch() {
        (wantsFetch, isPrefetching) = (false, false)
        if isFetching { running = nil }
    }

    /// A fetch that is running is made again: its answer may be older than the reason.
    private mutating func invalidate() {
        (fetchedAt, failedAt) = (nil, nil)
        if isFetching {
            (running, wantsFetch) = (nil, true)
        } else if isObserved {
            wantsFetch = true
        }
    }

    /// The value stays. Without one, that it was cancelled is a failure, which can be retried.
    private mutating func cancel() {
        if value == nil, wantsFetch || isFetching { failure = FetchFailure(CancellationError()) }
        isPrefetching = false
        endRequestsOfObservers()
    }

    private mutating func remove(clears: Bool) {
        if clears { (changes, running) = ([], nil) }
        endRequestsOfObservers()
        endFetch()
        (value, fetchedAt, failure, failedAt, wantsFetch) = (nil, nil, nil, nil, isObserved)
        isOddValue.toggle()
        if !isObserved, changes.isEmpty { discard() }
    }

    /// A value that is stored stays there, and so here for a source that is retained. A later value differs.
    private mutating func discard() {
        let before = self
        self = FetchState(key, network, isOnline: isOnline)
        (isStored, isOddValue) = (before.isStored, before.isOddValue)
        if isStored { (value, fetchedAt) = (before.value, before.fetchedAt) }
    }

    private mutating func fetched(_ value: Value, _ now: Duration) {
        apply(FetchUpdate(value))
        endFetch()
        (fetchedAt, failure, failedAt) = (now, nil, nil)
    }

    private mutating func fetchFailed(_ failure: FetchFailure, _ now: Duration) {
        // A request that failed while offline waits for the network.
        if !isOnline, network == .triedFirst { return (running, wantsFetch, hasTried) = (nil, true, true) }
        endFetch()
        (self.failure, failedAt) = (failure.after(self.failure), now)
    }

    // MARK: Values

    /// Begins with a value that was stored.
    mutating func restore(_ value: Value, at date: Duration?) { (self.value, fetchedAt) = (value, date) }

    private mutating func provided(_ update: FetchUpdate<Value>, _ now: Duration) {
        guard apply(update) else { return }
        isUsed = true
        endFetch()
        (fetchedAt, failure, failedAt) = (now, nil, nil)
    }

    /// Every update is a function of the value of the server at that time, and the guesses are functions of the result:
    /// so none of them is lost, in any order.
    ///
    /// - Returns: Whether there is a value.
    @discardableResult
    private mutating func apply(_ update: FetchUpdate<Value>) -> Bool {
        update.apply(to: &value)
        if value != nil { isOddValue.toggle() }
        return value != nil
    }

    private mutating func add(_ change: FetchChange<Value>) {
        if let part = change.part, !isObserved || changes.contains(where: { $0.part == part }) { return }
        let numbers = changes.map { $0.number }
        var change = change
        change.number = (0...changes.count).first { !numbers.contains($0) } ?? 0
        changes.append(change)
    }

    /// The age of a value is that of its fetch, as the change may concern a part of it only. Without a value that could
    /// be changed, it is fetched.
    private mutating func changed(
        _ update: FetchUpdate<Value>, _ now: Duration, _ change: FetchChange<Value>
    ) {
        let isFirst = value == nil
        if !apply(update) {
            (wantsFetch, isPrefetching) = (true, true)
        } else if isFirst {
            (fetchedAt, failure, failedAt) = (now, nil, nil)
        }
        endChange(change)
    }

    /// If the request was made, the server may have heard it, so the value is no longer known.
    private mutating func withdraw(_ request: ObjectIdentifier) {
        let isSent = changes.contains { $0.shared == request && running == .change($0.number) }
        changes.removeAll { $0.shared == request }
        endRequestOfNoChange()
        if isSent { invalidate() }
    }

    private mutating func endChange(_ change: FetchChange<Value>) {
        changes.removeAll { $0.number == change.number }
        if running == .change(change.number) { running = nil }
    }
}
