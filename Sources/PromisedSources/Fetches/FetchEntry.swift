internal import Promise
internal import PromisedSystem
internal import Synchronization

/// An entry of any type of key.
protocol AnyFetchEntry: AnyObject, Sendable {
    /// Counts the entries in the order in which they were made.
    var number: Int { get }
    /// That of the key.
    var hash: Int { get }
    var path: [String] { get }
    func invalidate()
    func refreshStale()
    func cancel()
    func remove()
    func clear()
    var running: [Running] { get }
    func record(into sink: RecordingSink)
}

/// The value of one key, for all who ask for it.
///
/// A system decides on the requests; the model of the source follows from its state.
final class FetchEntry<Key: FetchKey>: StateSource, AnyFetchEntry {
    typealias Model = Fetchable<Key.Value>
    typealias Event = FetchEvent<Key.Value>

    /// The surroundings of an entry: those of its ``Fetches``.
    struct Environment: Sendable {
        let client: Key.Client
        let scheduler: any SerialScheduler
        let gate: OnlineGate
        let isOnline: Source<Bool>
        let keepingUnused: Duration
        let storage: FetchStore?
        let kept: KeptEntries
        let paths: PathIndex
    }

    let number: Int
    let hash: Int
    let path: [String]
    let state = SourceState<Model>(isDerived: true)
    let system: System<FetchState<Key.Value>, Event>
    private let scheduler: any SerialScheduler
    private let paths: PathIndex
    private let onlineToken: SubscriptionToken
    private let removed = Atomic(0)
    /// Counts the values that were shown.
    private let revision = Lock(1)

    init(_ key: Key, number: Int, _ environment: Environment) {
        (self.number, hash, path, scheduler) = (number, key.hashValue, key.path, environment.scheduler)
        paths = environment.paths
        let scheduler = environment.scheduler
        let stored = environment.storage?.place(of: key)
        var state = FetchState<Key.Value>(
            EffectKey(key), key.options.network, isOnline: environment.isOnline.value)
        state.isStored = stored != nil
        if let found = stored?.load() { state.restore(found.value, at: found.age.map { scheduler.now - $0 }) }
        let system = System<FetchState<Key.Value>, Event>(
            initialState: state, scheduler: scheduler, reducer: Reducer { $0.reduce($1) },
            feedbacks: Self.feedbacks(key, environment))
        self.system = system
        let initial = Lock<Bool?>(state.isOnline)
        onlineToken = environment.isOnline.subscribe { [weak system] isOnline in
            // The present one is in the initial state.
            if initial.exchange(for: nil) == isOnline { return }
            system?.sendEvent(.online(isOnline, now: scheduler.now))
        }
        let last = Lock((look: FetchLook(system.state), value: system.state.shown))
        system.addLoopCallback { [weak self, weak kept = environment.kept] state in
            let (look, value) = (FetchLook(state), state.shown)
            let before = last.exchange(for: (look, value))
            guard let self else { return }
            if let stored, look.isToBeStored(after: before.look) {
                stored.save(state.value, age: state.fetchedAt.map { scheduler.now - $0 })
            }
            // An equal value is no other one.
            let isSame = look.content == before.look.content || Key.areSame(value, before.value)
            if !isSame || look.shown != before.look.shown { show(look, value, isNew: !isSame) }
            if look.isKept != before.look.isKept { kept?.keep(self, look.isKept) }
        }
    }

    deinit { paths.remove(number, at: path) }

    /// The feedbacks, in this order.
    enum FeedbackIndex: Int {
        case requests, answers, timers, polls
    }

    private static func feedbacks(
        _ key: Key, _ environment: Environment
    ) -> [Feedback<FetchState<Key.Value>, Event>] {
        let (client, scheduler, options) = (environment.client, environment.scheduler, key.options)
        let keepingUnused = environment.keepingUnused
        let gate = options.network == .notNeeded ? nil : environment.gate
        let requests = Feedback<FetchState<Key.Value>, Event>.latest(state: { FetchStart($0) }) { start in
            Effect<Event> { effect in
                let work = effect.scheduler
                // While it is recorded, the work has a scheduler of its own on the other one.
                let isRecorded = (work as? any SchedulerWrapper)?.base === scheduler
                // Any other scheduler is that of an exploration, which has to see the work.
                let isPlain = work === scheduler || isRecorded
                let promise = start.promise(key, client, isRecorded ? work : scheduler, gate)
                effect.run(promise, on: isPlain ? gate.map { RequestScheduler(work, $0) } : nil)
            }
        }
        let answers = Feedback<FetchState<Key.Value>, Event>.onEvent({ $0.ended }) { ended in
            Effect<Event>.fireAndForget { ended.change.end(ended.error) }
        }
        let timers = Feedback<FetchState<Key.Value>, Event>.latest(state: { $0.timer }) { timer in
            switch timer {
            case .leaving(let leaving):
                Promise<Event>.value(.left).delay(leaving.map { $0.grace }.max() ?? .zero)
            case .unused: Promise<Event>.value(.unused).delay(keepingUnused)
            }
        }
        guard let period = options.pollingEvery else { return [requests, answers, timers] }
        let polls = Feedback<FetchState<Key.Value>, Event>.latest(state: { $0.isPolling ? true : nil }) { _ in
            Promise<Event>.value(.refresh).delay(period)
        }
        return [requests, answers, timers, polls]
    }

    // MARK: The model

    var initialModel: Model { model(FetchLook(system.state), system.state.shown, revision: 1) }

    /// - Parameter isNew: Whether the value differs from the one before.
    private func show(_ look: FetchLook, _ value: Key.Value?, isNew: Bool) {
        let revision = revision.withLock { revision in
            if isNew { revision += 1 }
            return revision
        }
        model = model(look, value, revision: revision)
    }

    private var refreshAction: Action<Void> { action(FetchEntry.refresh, at: { $0.fetched?.refresh }) }
    private var retryAction: Action<Void> { action(FetchEntry.refresh, at: { $0.failure?.retry }) }

    private func refresh() { send(.refresh) }

    private func model(_ look: FetchLook, _ value: Key.Value?, revision: Int) -> Model {
        switch (look.shown, value) {
        case (.fetched(let isRefreshing, let failure), let value?):
            .fetched(
                .init(
                    value, isRefreshing: isRefreshing, refreshFailure: failure,
                    refresh: isRefreshing ? nil : refreshAction
                ).of(revision: revision))
        case (.failure(let failure), _):
            .failure(.init(failure.error, failedAttempts: failure.failedAttempts, retry: retryAction))
        case (.fetching(isPaused: true), _): .fetching(.init(isPaused: true))
        default: .fetching(.init())
        }
    }

    // MARK: Observers and requests

    /// How long an observer has to be away until it has left, if it reads under observation: that ends with each
    /// change, and begins with the next read.
    private static var readerGrace: Duration { .seconds(1) }

    /// The source for an observer.
    ///
    /// - Parameter isRead: Whether an observer reads under observation.
    func source(
        freshFor: Duration, isRead: @escaping @Sendable () -> Bool = { isObservationTracked }
    ) -> Source<Model> {
        var source = eraseToSource()
        source.attach = { [attach = source.attach] replayCurrent, body, onEnd in
            let grace = isRead() ? Self.readerGrace : .zero
            self.send(.observed(freshFor: freshFor, now: self.scheduler.now))
            let token = attach(replayCurrent, body, onEnd)
            return SubscriptionToken(endsOnRelease: true) {
                token.cancel()
                self.send(.unobserved(freshFor: freshFor, grace: grace))
            }
        }
        return source
    }

    /// Sends an event, and retains the entry until it is processed.
    private func send(_ event: Event) { perform { $0.sendEvent(event) } }

    private func perform(_ body: @escaping @Sendable (System<FetchState<Key.Value>, Event>) -> Void) {
        scheduler.perform { body(self.system) }
    }

    func prefetch(freshFor: Duration) { send(.prefetch(freshFor: freshFor, now: scheduler.now)) }
    func provide(_ update: FetchUpdate<Key.Value>) { send(.provided(update, now: scheduler.now)) }
    func change(_ change: FetchChange<Key.Value>) { send(.change(change)) }
    func withdraw(_ request: ObjectIdentifier) { send(.withdrawn(request)) }
    func invalidate() { send(.invalidated) }
    func refreshStale() { send(.refreshStale(now: scheduler.now)) }
    func cancel() { send(.cancelled) }
    func remove() { remove(clears: false) }

    func clear() {
        perform { system in
            let changes = system.state.changes
            self.remove(clears: true)
            for change in changes { change.end(CancellationError()) }
        }
    }

    private func remove(clears: Bool) {
        perform { [self] system in
            removed.add(1, ordering: .relaxed)
            system.sendEvent(.removed(clears: clears))
            // A source that follows another key now may still show the value, although this has none any more.
            if !system.state.isObserved { model = model }
        }
    }

    /// How often the value was removed, for as long as it is retained.
    var removals: Int { removed.load(ordering: .relaxed) }
    var removalCount: Source<Int> { eraseToSource().map { _ in self.removals }.removeDuplicates() }
}
