public import Promise
public import Synchronization

/// The states of a system and their subscribers. All notifications of states go through it.
///
/// It may outlive its loop, retained by readers: it then holds the last state and has no subscribers.
@usableFromInline
final class StateStore<State: Sendable>: Sendable {
    @usableFromInline
    struct Contents: Sendable {
        @usableFromInline var settled: ValueBox<State>
        /// Shown in place of the settled state while a transition is running.
        @usableFromInline var interim: ValueBox<State>?
        @usableFromInline var history: History<State>
        @usableFromInline var isOver = false
        /// The listeners in the order in which they are notified: bindings, subscribers, callbacks.
        @usableFromInline var subscribers: Subscribers = []
        var priorities: [Priority] = []

        @inlinable
        init(settled: ValueBox<State>, history: History<State>) {
            (self.settled, self.history) = (settled, history)
        }

        @usableFromInline var present: StateChange<State> {
            interim.map { StateChange($0, .interim) } ?? StateChange(settled, .committed)
        }

        /// - Returns: The boxes that it no longer holds. A deinitialiser of a state may call back, so the caller
        ///   releases them outside the lock.
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

    /// The order in which listeners are notified; within one priority, in order of subscription.
    enum Priority: Int, Comparable {
        case binding, subscriber, callback

        static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    @usableFromInline let contents: Lock<Contents>
    @usableFromInline let keepsHistory: Bool
    let scheduler: any SerialScheduler
    /// Returned to a reducer that reads the system while it changes the state in place; nil without such reducers.
    private let initial: Contents?
    /// Whether a reducer has read the system during an in-place change. From then on reducers change a copy.
    @usableFromInline let hasReadingReducer = Atomic(false)
    /// The thread whose reducer is changing the state in place, 0 for none.
    @usableFromInline let reducingThread = Atomic<UInt>(0)
    /// Whether a state is visible that some listeners were not notified of yet. Set under the lock.
    @usableFromInline let isNotifying = Atomic(false)
    /// The identities of the two sources, so that each access returns equal sources.
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

    /// The settled state, for the owner of the loop, outside of reducers.
    @inlinable var ownerState: ValueBox<State> { contents.withLock { $0.settled.shared } }

    @inlinable
    func look<Part>(_ part: (Contents) -> Part) -> Part {
        ReducerScope.isActive ? readFromReducer(part) : contents.withLock { part($0) }
    }

    /// Reads from inside a reducer. It never blocks on a lock that this thread holds. For a lock of another thread it
    /// spins for a limited number of tries only, because that thread's reducer may be waiting for this one: a
    /// deadlock.
    @usableFromInline
    func readFromReducer<Part>(_ part: (Contents) -> Part) -> Part {
        var tries = reducingThread.load(ordering: .relaxed) == currentThread ? 0 : 100_000
        repeat {
            if let part = contents.withLockIfFree({ part($0) }) { return part }
            tries -= 1
        } while tries > 0
        guard let initial else { return contents.withLock { part($0) } }
        // From the next event on, reducers change a copy, and such a read finds the current state.
        hasReadingReducer.store(true, ordering: .releasing)
        PromiseDiagnostics.report(
            .init(problem: SystemProblem.stateReadByReducer, origin: ReducerScope.origin))
        return part(initial)
    }

    /// The history passed to a callback; the shown state alone if none is kept.
    static func seen(_ state: State, by store: StateStore?) -> [State] {
        guard let states = store?.pastStates, !states.isEmpty else { return [state] }
        return Array(states)
    }

    @inlinable var isNotifyingNow: Bool { isNotifying.load(ordering: .acquiring) }

    // MARK: Showing

    /// Changes the settled state in place, so that a large one is not copied, and notifies the listeners.
    ///
    /// `reduce` runs under the lock. Apart from the comparison of elements, it is the only user code that does.
    ///
    /// - Parameter wantsState: Whether the caller needs the new state.
    /// - Returns: The new state; nil if neither the caller nor a listener needs it.
    @inlinable
    func change<Event>(
        by event: Event, sentAt origin: Origin, wantsState: Bool, _ reduce: (inout State, Event) -> Void
    ) -> ValueBox<State>? {
        guard !keepsHistory, !hasReadingReducer.load(ordering: .relaxed) else {
            var state = ownerState
            state.change { reduce(&$0, event) }
            show(StateChange(state, .committed))
            return state
        }
        let (subscribers, state) = reduceInPlace(by: event, sentAt: origin, wantsState, reduce)
        guard let state else { return nil }
        notify(subscribers, StateChange(state, .committed))
        return state
    }

    /// Runs `reduce` on the settled state under the lock.
    ///
    /// - Returns: The listeners to notify, and the new state; nil if neither the caller nor a listener needs it.
    @inlinable
    func reduceInPlace<Event>(
        by event: Event, sentAt origin: Origin, _ wantsState: Bool, _ reduce: (inout State, Event) -> Void
    ) -> (Subscribers, ValueBox<State>?) {
        let work = ReducerScope(for: origin)
        let result: (Subscribers, ValueBox<State>?) = contents.withLock { contents in
            guard !contents.isOver else { return (Subscribers(), nil) }
            reducingThread.store(currentThread, ordering: .relaxed)
            contents.settled.change { reduce(&$0, event) }
            reducingThread.store(0, ordering: .relaxed)
            if !contents.subscribers.isEmpty { isNotifying.store(true, ordering: .releasing) }
            return (
                contents.subscribers,
                wantsState || !contents.subscribers.isEmpty ? contents.settled.shared : nil
            )
        }
        _ = consume work
        return result
    }

    /// Makes a state visible to readers, then notifies the listeners. A no-op after the end.
    @inlinable
    func show(_ moment: StateChange<State>) {
        let subscribers = keepsHistory ? changeAndRemember(moment) : change(to: moment)
        notify(subscribers, moment)
    }

    /// Notifies the listeners of a state that is already visible.
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

    /// Changes state and history under one lock, so that no thread sees a history that is ahead of the state.
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
