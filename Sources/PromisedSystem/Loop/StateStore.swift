public import Promise
public import Synchronization

/// Where a system's states are shown, and everyone who looks: the one place that shows.
///
/// It outlives its loop for those who still read: then it has the last state, and nobody to tell.
@usableFromInline
final class StateStore<State: Sendable>: Sendable {
    @usableFromInline
    struct Contents: Sendable {
        @usableFromInline var settled: ValueBox<State>
        /// Shown in place of the settled state while a transition is running.
        @usableFromInline var interim: ValueBox<State>?
        @usableFromInline var history: History<State>
        @usableFromInline var isOver = false
        /// Everyone to be told of a state, in order: bindings, subscribers, callbacks.
        @usableFromInline var subscribers: Subscribers = []
        var priorities: [Priority] = []

        @inlinable
        init(settled: ValueBox<State>, history: History<State>) {
            (self.settled, self.history) = (settled, history)
        }

        @usableFromInline var present: StateChange<State> {
            interim.map { StateChange($0, .interim) } ?? StateChange(settled, .committed)
        }

        /// - Returns: What it keeps no longer: its end may call back, and must not come under the lock.
        @inlinable
        mutating func change(to moment: StateChange<State>) -> Past {
            var past: Past = (moment.box, nil)
            switch moment.kind {
            case .committed: swap(&settled, &past.settled)
            case .interim: past.interim = moment.box
            case .reverted: break
            }
            swap(&interim, &past.interim)
            return past
        }
    }

    @usableFromInline typealias Past = (settled: ValueBox<State>, interim: ValueBox<State>?)
    @usableFromInline typealias Subscribers = ContiguousArray<Listener<StateNotification<State>>>

    /// The order in which listeners are told.
    enum Priority: Int, Comparable {
        case binding, subscriber, callback

        static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    @usableFromInline let contents: Lock<Contents>
    @usableFromInline let keepsHistory: Bool
    let scheduler: any SerialScheduler
    /// For a reducer that looks at the scene while it changes it: nil where none changes it in place.
    private let initial: Contents?
    /// Whether a reducer was seen to do that.
    @usableFromInline let isWatchedByReducer = Atomic(false)
    /// The thread whose reducer is changing the scene, 0 for none.
    @usableFromInline let reducingThread = Atomic<UInt>(0)
    /// Whether a state was made visible of which not all listeners have been notified yet. Set under the lock.
    @usableFromInline let isNotifying = Atomic(false)
    /// What makes its two sources the same ones whenever they are asked for.
    let sources = StoreSources<State>()

    init(
        _ initialState: ValueBox<State>, history limit: HistoryLimit, scheduler: any SerialScheduler,
        inPlace: Bool
    ) {
        var history = History<State>(limit)
        _ = history.append(initialState)
        let contents = Contents(settled: initialState, history: history)
        self.contents = Lock(contents)
        initial = inPlace ? contents : nil
        keepsHistory = !history.isEmpty
        self.scheduler = scheduler
    }

    // MARK: Reading

    @inlinable var settled: State { look { $0.settled }.value }
    var present: StateChange<State> { look { $0.present } }
    var pastStates: History<State> { look { $0.history } }

    /// The settled state, for the owner of the loop, who is in no reducer.
    @inlinable var ownerState: ValueBox<State> { contents.withLock { $0.settled.shared } }

    @inlinable
    func look<Part>(_ part: (Contents) -> Part) -> Part {
        ReducerScope.isActive ? readFromReducer(part) : contents.withLock { part($0) }
    }

    /// For a thread that is in a reducer: without waiting for a scene that is its own, or for ever for another's, whose
    /// reducer may be waiting for this one.
    @usableFromInline
    func readFromReducer<Part>(_ part: (Contents) -> Part) -> Part {
        var tries = reducingThread.load(ordering: .relaxed) == currentThread ? 0 : 100_000
        repeat {
            if let part = contents.withLockIfFree({ part($0) }) { return part }
            tries -= 1
        } while tries > 0
        guard let initial else { return contents.withLock { part($0) } }
        // From now on it gets a copy to change, and finds what it looks for.
        isWatchedByReducer.store(true, ordering: .releasing)
        PromiseDiagnostics.report(.init(problem: .stateReadByReducer, origin: ReducerScope.origin))
        return part(initial)
    }

    /// The history for a callback: with none kept, the shown state alone.
    static func seen(_ state: State, by store: StateStore?) -> [State] {
        guard let states = store?.pastStates, !states.isEmpty else { return [state] }
        return Array(states)
    }

    @inlinable var isNotifyingNow: Bool { isNotifying.load(ordering: .acquiring) }

    // MARK: Showing

    /// Changes the settled state where it is, so that a large one is not copied, and tells of it.
    ///
    /// Pure work of the user's under a lock, as is the comparing of elements; nothing else of theirs is done so.
    ///
    /// - Parameter wantsState: Whether the caller wants to know what it has become.
    /// - Returns: The state, if somebody wanted it.
    @inlinable
    func change<Event>(
        by event: Event, sentAt origin: Origin, wantsState: Bool, _ reduce: (inout State, Event) -> Void
    ) -> ValueBox<State>? {
        guard !keepsHistory, !isWatchedByReducer.load(ordering: .relaxed) else {
            var state = ownerState
            state.change { reduce(&$0, event) }
            show(StateChange(state, .committed))
            return state
        }
        let (subscribers, state) = changeScene(by: event, sentAt: origin, wantsState, reduce)
        guard let state else { return nil }
        notify(subscribers, StateChange(state, .committed))
        return state
    }

    /// - Returns: Whom to tell, and what; nil when there is nobody who wants it.
    @inlinable
    func changeScene<Event>(
        by event: Event, sentAt origin: Origin, _ wantsState: Bool, _ reduce: (inout State, Event) -> Void
    ) -> (Subscribers, ValueBox<State>?) {
        let work = ReducerScope(for: origin)
        let told: (Subscribers, ValueBox<State>?) = contents.withLock { contents in
            guard !contents.isOver else { return (Subscribers(), nil) }
            reducingThread.store(work.thread, ordering: .relaxed)
            contents.settled.change { reduce(&$0, event) }
            reducingThread.store(0, ordering: .relaxed)
            if !contents.subscribers.isEmpty { isNotifying.store(true, ordering: .releasing) }
            return (
                contents.subscribers,
                wantsState || !contents.subscribers.isEmpty ? contents.settled.shared : nil
            )
        }
        _ = consume work
        return told
    }

    /// Makes a state visible to everyone who reads, then tells of it; nothing happens after the end.
    @inlinable
    func show(_ moment: StateChange<State>) {
        let subscribers = keepsHistory ? changeAndRemember(moment) : change(to: moment)
        notify(subscribers, moment)
    }

    /// Notifies the listeners of a state that is visible already.
    @inlinable
    func notify(_ subscribers: Subscribers, _ moment: StateChange<State>) {
        guard !subscribers.isEmpty else { return }
        notify(subscribers, moment.notification)
        isNotifying.store(false, ordering: .releasing)
    }

    @inlinable
    func notify(_ subscribers: Subscribers, _ notification: StateNotification<State>) {
        for listener in subscribers { listener.tell(notification) }
    }

    @inlinable
    func change(to moment: StateChange<State>) -> Subscribers {
        let (subscribers, before) = contents.withLock { contents -> (Subscribers, Past) in
            guard !contents.isOver else { return (Subscribers(), (moment.box, nil)) }
            let before = contents.change(to: moment)
            if !contents.subscribers.isEmpty { isNotifying.store(true, ordering: .releasing) }
            return (contents.subscribers, before)
        }
        withExtendedLifetime(before) {}
        return subscribers
    }

    /// In one step, so that no other thread sees a history that is ahead of the state.
    @inlinable
    func changeAndRemember(_ moment: StateChange<State>) -> Subscribers {
        let (subscribers, before, forgotten) = contents.withLock {
            contents -> (Subscribers, Past, [ValueBox<State>]) in
            guard !contents.isOver else { return (Subscribers(), (moment.box, nil), []) }
            let forgotten = contents.history.append(moment.box)
            let before = contents.change(to: moment)
            if !contents.subscribers.isEmpty { isNotifying.store(true, ordering: .releasing) }
            return (contents.subscribers, before, forgotten)
        }
        withExtendedLifetime((before, forgotten)) {}
        return subscribers
    }
}
