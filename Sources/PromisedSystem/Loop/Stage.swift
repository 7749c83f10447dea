public import Promise
public import Synchronization

/// Where a system's states are shown, and everyone who looks: the one place that shows.
///
/// It outlives its loop for those who still read: then it has the last state, and nobody to tell.
@usableFromInline
final class Stage<State: Sendable>: Sendable {
    @usableFromInline
    struct Scene: Sendable {
        @usableFromInline var settled: ValueBox<State>
        /// Shown in place of the settled state while a transition is running.
        @usableFromInline var interim: ValueBox<State>?
        @usableFromInline var history: History<State>
        @usableFromInline var isOver = false
        /// Everyone to be told of a state, in order: bindings, subscribers, callbacks.
        @usableFromInline var audience: Audience = []
        var ranks: [Rank] = []

        @inlinable
        init(settled: ValueBox<State>, history: History<State>) {
            (self.settled, self.history) = (settled, history)
        }

        @usableFromInline var present: Moment<State> {
            interim.map { Moment($0, .interim) } ?? Moment(settled, .commit)
        }

        /// - Returns: What it keeps no longer: its end may call back, and must not come under the lock.
        @inlinable
        mutating func change(to moment: Moment<State>) -> Past {
            var past: Past = (moment.box, nil)
            switch moment.kind {
            case .commit: swap(&settled, &past.settled)
            case .interim: past.interim = moment.box
            case .withdrawal: break
            }
            swap(&interim, &past.interim)
            return past
        }
    }

    @usableFromInline typealias Past = (settled: ValueBox<State>, interim: ValueBox<State>?)
    @usableFromInline typealias Audience = ContiguousArray<Listener<Notice<State>>>

    /// The order in which listeners are told.
    enum Rank: Int, Comparable {
        case binding, subscriber, callback

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    @usableFromInline let scene: Lock<Scene>
    @usableFromInline let keepsHistory: Bool
    let scheduler: any SerialScheduler
    /// For a reducer that looks at the scene while it changes it: nil where none changes it in place.
    private let initial: Scene?
    /// Whether a reducer was seen to do that.
    @usableFromInline let isWatchedByReducer = Atomic(false)
    /// The thread whose reducer is changing the scene, 0 for none.
    @usableFromInline let reducingThread = Atomic<UInt>(0)
    /// Whether a state was made visible of which not all listeners have been notified yet. Set under the lock.
    @usableFromInline let isNotifying = Atomic(false)
    /// What makes its two sources the same ones whenever they are asked for.
    let sources = StageSources<State>()

    init(
        _ initialState: ValueBox<State>, history limit: HistoryLimit, scheduler: any SerialScheduler,
        inPlace: Bool
    ) {
        var history = History<State>(limit)
        _ = history.append(initialState)
        let scene = Scene(settled: initialState, history: history)
        self.scene = Lock(scene)
        initial = inPlace ? scene : nil
        keepsHistory = !history.isEmpty
        self.scheduler = scheduler
    }

    // MARK: Reading

    @inlinable var settled: State { look { $0.settled }.value }
    var present: Moment<State> { look { $0.present } }
    var pastStates: History<State> { look { $0.history } }

    /// The settled state, for the owner of the loop, who is in no reducer.
    @inlinable var ownersState: ValueBox<State> { scene.withLock { $0.settled.shared } }

    @inlinable
    func look<Part>(_ part: (Scene) -> Part) -> Part {
        PureWork.isUnderWay ? lookFromReducer(part) : scene.withLock { part($0) }
    }

    /// For a thread that is in a reducer: without waiting for a scene that is its own, or for ever for another's, whose
    /// reducer may be waiting for this one.
    @usableFromInline
    func lookFromReducer<Part>(_ part: (Scene) -> Part) -> Part {
        var tries = reducingThread.load(ordering: .relaxed) == currentThread ? 0 : 100_000
        repeat {
            if let part = scene.withLockIfFree({ part($0) }) { return part }
            tries -= 1
        } while tries > 0
        guard let initial else { return scene.withLock { part($0) } }
        // From now on it gets a copy to change, and finds what it looks for.
        isWatchedByReducer.store(true, ordering: .releasing)
        PromiseDiagnostics.report(.init(problem: .stateReadByReducer, origin: PureWork.origin))
        return part(initial)
    }

    /// The history for a callback: with none kept, the shown state alone.
    static func seen(_ state: State, by stage: Stage?) -> [State] {
        guard let states = stage?.pastStates, !states.isEmpty else { return [state] }
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
            var state = ownersState
            state.change { reduce(&$0, event) }
            show(Moment(state, .commit))
            return state
        }
        let (audience, state) = changeScene(by: event, sentAt: origin, wantsState, reduce)
        guard let state else { return nil }
        notify(audience, Moment(state, .commit))
        return state
    }

    /// - Returns: Whom to tell, and what; nil when there is nobody who wants it.
    @inlinable
    func changeScene<Event>(
        by event: Event, sentAt origin: Origin, _ wantsState: Bool, _ reduce: (inout State, Event) -> Void
    ) -> (Audience, ValueBox<State>?) {
        let work = PureWork(for: origin)
        let told: (Audience, ValueBox<State>?) = scene.withLock { scene in
            guard !scene.isOver else { return (Audience(), nil) }
            reducingThread.store(work.thread, ordering: .relaxed)
            scene.settled.change { reduce(&$0, event) }
            reducingThread.store(0, ordering: .relaxed)
            if !scene.audience.isEmpty { isNotifying.store(true, ordering: .releasing) }
            return (scene.audience, wantsState || !scene.audience.isEmpty ? scene.settled.shared : nil)
        }
        _ = consume work
        return told
    }

    /// Makes a state visible to everyone who reads, then tells of it; nothing happens after the end.
    @inlinable
    func show(_ moment: Moment<State>) {
        let audience = keepsHistory ? changeAndRemember(moment) : change(to: moment)
        notify(audience, moment)
    }

    /// Notifies the listeners of a state that is visible already.
    @inlinable
    func notify(_ audience: Audience, _ moment: Moment<State>) {
        guard !audience.isEmpty else { return }
        notify(audience, moment.notice)
        isNotifying.store(false, ordering: .releasing)
    }

    @inlinable
    func notify(_ audience: Audience, _ notice: Notice<State>) {
        for listener in audience { listener.tell(notice) }
    }

    @inlinable
    func change(to moment: Moment<State>) -> Audience {
        let (audience, before) = scene.withLock { scene -> (Audience, Past) in
            guard !scene.isOver else { return (Audience(), (moment.box, nil)) }
            let before = scene.change(to: moment)
            if !scene.audience.isEmpty { isNotifying.store(true, ordering: .releasing) }
            return (scene.audience, before)
        }
        withExtendedLifetime(before) {}
        return audience
    }

    /// In one step, so that no other thread sees a history that is ahead of the state.
    @inlinable
    func changeAndRemember(_ moment: Moment<State>) -> Audience {
        let (audience, before, forgotten) = scene.withLock { scene -> (Audience, Past, [ValueBox<State>]) in
            guard !scene.isOver else { return (Audience(), (moment.box, nil), []) }
            let forgotten = scene.history.append(moment.box)
            let before = scene.change(to: moment)
            if !scene.audience.isEmpty { isNotifying.store(true, ordering: .releasing) }
            return (scene.audience, before, forgotten)
        }
        withExtendedLifetime((before, forgotten)) {}
        return audience
    }
}
