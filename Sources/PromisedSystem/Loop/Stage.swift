public import Promise

/// Where a system's states are shown, and everyone who looks: the one place that shows.
///
/// It outlives its loop for those who still read: then it has the last state, and nobody to tell.
@usableFromInline
final class Stage<State: Sendable>: Sendable {
    @usableFromInline
    struct Scene: Sendable {
        @usableFromInline var settled: State
        /// Shown in place of the settled state while a transition is running.
        @usableFromInline var interim: State?
        @usableFromInline var history: History<State>
        @usableFromInline var isOver = false
        /// Everyone to be told of a state, in order: bindings, subscribers, callbacks.
        @usableFromInline var audience: Audience = []
        var ranks: [Rank] = []

        @inlinable
        init(settled: State, history: History<State>) { (self.settled, self.history) = (settled, history) }

        var present: Moment<State> {
            interim.map { Moment($0, .interim) } ?? Moment(settled, .commit)
        }
    }

    @usableFromInline typealias Audience = ContiguousArray<Listener<State>>

    /// The order in which listeners are told.
    enum Rank: Int, Comparable {
        case binding, subscriber, callback

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    @usableFromInline let scene: Lock<Scene>
    @usableFromInline let keepsHistory: Bool
    private let scheduler: any SerialScheduler

    init(_ initialState: State, history limit: HistoryLimit, scheduler: any SerialScheduler) {
        var history = History<State>(limit)
        _ = history.append(initialState)
        scene = Lock(Scene(settled: initialState, history: history))
        keepsHistory = !history.isEmpty
        self.scheduler = scheduler
    }

    @inlinable var settled: State { scene.withLock { $0.settled } }
    var present: Moment<State> { scene.withLock { $0.present } }
    var pastStates: History<State> { scene.withLock { $0.history } }

    /// Makes a state visible to everyone who reads, then tells of it; nothing happens after the end.
    @inlinable
    func show(_ moment: Moment<State>) {
        let audience = keepsHistory ? changeAndRemember(moment) : change(to: moment)
        for listener in audience { listener.tell(moment) }
    }

    @inlinable
    func change(to moment: Moment<State>) -> Audience {
        let (audience, before) = scene.withLock { scene in
            guard !scene.isOver else { return (Audience(), scene.settled) }
            let before = scene.settled
            switch moment.kind {
            case .commit: (scene.settled, scene.interim) = (moment.state, nil)
            case .interim: scene.interim = moment.state
            case .withdrawal: scene.interim = nil
            }
            return (scene.audience, before)
        }
        // The old state ends here and not under the lock: its end may call back.
        withExtendedLifetime(before) {}
        return audience
    }

    @usableFromInline
    func changeAndRemember(_ moment: Moment<State>) -> Audience {
        let forgotten = scene.withLock { $0.isOver ? [] : $0.history.append(moment.state) }
        withExtendedLifetime(forgotten) {}
        return change(to: moment)
    }

    /// The history for a callback: with none kept, the shown state alone.
    func seen(_ state: State) -> [State] {
        let states = pastStates
        return states.isEmpty ? [state] : Array(states)
    }

    // MARK: Who looks

    /// - Returns: What was there when it joined, after which it misses nothing, and whether the end had come.
    @discardableResult
    func add(
        _ listener: Listener<State>, _ rank: Rank
    ) -> (present: (moment: Moment<State>, settled: State), isOver: Bool) {
        scene.withLock { scene in
            if !scene.isOver {
                let place = scene.ranks.firstIndex { $0 > rank } ?? scene.ranks.endIndex
                scene.ranks.insert(rank, at: place)
                scene.audience.insert(listener, at: place)
            }
            return ((scene.present, scene.settled), scene.isOver)
        }
    }

    func remove(_ listener: Listener<State>) {
        listener.retire()
        let removed = scene.withLock { scene -> Listener<State>? in
            guard let place = scene.audience.firstIndex(where: { $0 === listener }) else { return nil }
            scene.ranks.remove(at: place)
            return scene.audience.remove(at: place)
        }
        withExtendedLifetime(removed) {}
    }

    /// Subscribes to what is shown.
    ///
    /// - Parameters:
    ///   - replayCurrent: Whether the present state is told as well, right here, before this returns.
    ///   - showsInterim: Whether that may be one that stands in for the next; else the settled one is told.
    ///   - body: Told where the owner of the loop tells.
    ///   - onEnd: Told once when there will be no more.
    @usableFromInline
    func subscribe(
        replayCurrent: Bool, showsInterim: Bool = true,
        _ body: @escaping @Sendable (Moment<State>) -> Void, onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        let listener = Listener(body, onEnd: onEnd)
        if replayCurrent { listener.gather() }
        let (present, isOver) = add(listener, .subscriber)
        if replayCurrent {
            let moment = showsInterim ? present.moment : Moment(present.settled, .commit)
            listener.replay(moment) { [scheduler] work in
                if scheduler.isCurrent { work() } else { scheduler.schedule(work) }
            }
        }
        if isOver { listener.finish() }
        // Weak: a token that outlives the system keeps no closure alive.
        return SubscriptionToken(endsOnRelease: true) { [weak self, weak listener] in
            guard let listener else { return }
            if let self { remove(listener) } else { listener.retire() }
        }
    }

    /// Subscribes to the states that transitions settle on. A present state that is only shown in place of one is
    /// not told: the settled one is.
    @inlinable
    func subscribeToSettled(
        replayCurrent: Bool, _ body: @escaping @Sendable (State) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        subscribe(
            replayCurrent: replayCurrent, showsInterim: false,
            { moment in if moment.kind == .commit { body(moment.state) } }, onEnd: onEnd)
    }

    /// Lets go of everyone who looked; the states stay readable.
    func close() {
        let audience = scene.withLock { scene in
            defer { (scene.audience, scene.ranks) = ([], []) }
            scene.isOver = true
            return scene.audience
        }
        for listener in audience { listener.finish() }
    }
}
