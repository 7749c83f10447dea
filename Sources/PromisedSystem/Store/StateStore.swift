public import Promise
public import Synchronization

/// The states of a system and their subscribers. It notifies all observers of states but those of
/// `observe(willChange:didChange:)`, which are in ``LoopObservers``.
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
        @usableFromInline var subscribers = Subscribers<StateNotification<State>>()
        /// Whether a reducer has taken the settled state, to change it in place.
        @usableFromInline var isTaken = false
        var waiters: [ReducerWaits.Waiter] = []
        /// Read in place of the present state, and the subscribers meanwhile: see StateStore+Overriding.swift.
        @usableFromInline var overriding: ValueBox<State>?
        /// Whether there is one: in code that is not specialised, a comparison with nil asks for the type at run time.
        @usableFromInline var isOverridden = false
        var subscribersToOverride = Subscribers<StateNotification<State>>()

        @inlinable
        init(settled: ValueBox<State>, history: History<State>) {
            (self.settled, self.history) = (settled, history)
        }

        @inlinable var present: StateChange<State> {
            if isOverridden, let overriding { return StateChange(overriding, .committed) }
            return interim.map { StateChange($0, .interim) } ?? StateChange(settled, .committed)
        }

        /// - Returns: The boxes that it no longer holds. A deinitialiser of a state may call back, so the caller
        ///   releases them outside the lock.
        @inlinable
        mutating func apply(_ change: StateChange<State>) -> Past {
            var past: Past = (nil, nil)
            if change.kind == .committed { past.settled = settled.exchange(for: change.box) }
            if change.kind == .interim {
                past.interim = interim
                interim = change.box
            } else if interim != nil {
                past.interim = interim.take()
            }
            return past
        }

        @inlinable
        func subscribersToNotify(_ isNotifying: borrowing Atomic<Bool>) -> Listeners {
            if !subscribers.isEmpty { isNotifying.store(true, ordering: .releasing) }
            return subscribers.snapshot
        }

        /// Ends the time in which a reducer has the state.
        @usableFromInline
        mutating func endTaking() {
            isTaken = false
            if waiters.isEmpty { return }
            ReducerWaits.resume(waiters)
            waiters = []
        }
    }

    @usableFromInline typealias Past = (settled: ValueBox<State>?, interim: ValueBox<State>?)
    @usableFromInline typealias Listeners = PromisedSystem.Listeners<StateNotification<State>>

    @usableFromInline let contents: Lock<Contents>
    @usableFromInline let keepsHistory: Bool
    let scheduler: any SerialScheduler
    /// The state for a reducer that reads the system while it changes the state in place; nil without such reducers.
    let initial: ValueBox<State>?
    /// Whether that has happened. From then on reducers change a copy, and such a read gets the current state.
    @usableFromInline let isReadByReducer = Atomic(false)
    /// The thread that runs the reducer, and the event that the reducer handles. Without one, 0, or ``watched`` if
    /// reads are observed.
    @usableFromInline let reducing = Atomic<UInt>(0)
    @usableFromInline let reducedPlace = Atomic<UInt64>(0)
    /// Called before each read outside of the reducer, while the system is being explored.
    let readObserver = Lock<ReadObserver?>(nil)
    typealias ReadObserver = @Sendable (_ isOfHistory: Bool) -> Void
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
        contents = Lock(Contents(settled: initialState, history: history))
        initial = inPlace ? initialState : nil
        keepsHistory = !history.isEmpty
        self.scheduler = scheduler
    }

    // MARK: Changing

    /// Marks the thread that calls the reducer, for the event sent at `origin`, until ``endReducing()``.
    @inlinable
    func beginReducing(on thread: UInt, _ origin: Origin) {
        reducedPlace.store(origin.place, ordering: .relaxed)
        reducing.store(thread, ordering: .relaxed)
    }

    @inlinable
    func endReducing() { reducing.store(0, ordering: .relaxed) }

    /// Whether a reducer can take the state, to change it in place; otherwise it changes a copy.
    @inlinable var canBeTaken: Bool {
        !keepsHistory && !ValueBox<State>.isInline && !isReadByReducer.load(ordering: .relaxed)
    }

    /// Takes the settled state out of the store, so that the caller has the only reference to it and can change it in
    /// place; readers on other threads wait. Nil after the end.
    @inlinable
    func take() -> ValueBox<State>? {
        contents.withLock { contents in
            guard !contents.isOver else { return nil }
            contents.isTaken = true
            return contents.settled.take()
        }
    }

    /// Puts the taken state back.
    ///
    /// - Returns: The subscribers to notify, and the state; nil if neither they nor the caller need it.
    @inlinable
    func put(_ state: inout ValueBox<State>, wantsState: Bool) -> (Listeners, ValueBox<State>?) {
        contents.withLock { contents in
            swap(&contents.settled, &state)
            contents.endTaking()
            let subscribers = contents.subscribersToNotify(isNotifying)
            return (subscribers, wantsState || !subscribers.isEmpty ? contents.settled.shared : nil)
        }
    }

    /// Makes a state visible to readers, then notifies the subscribers. A no-op after the end.
    @inlinable
    func show(_ change: StateChange<State>) {
        notify(keepsHistory ? applyAndRemember(change) : apply(change), change)
    }

    @inlinable
    func apply(_ change: StateChange<State>) -> Listeners {
        var past: Past = (nil, nil)
        let subscribers = contents.withLock { contents -> Listeners in
            guard !contents.isOver else { return Listeners() }
            past = contents.apply(change)
            return contents.subscribersToNotify(isNotifying)
        }
        withExtendedLifetime(past) {}
        return subscribers
    }

    /// Changes state and history under one lock, so that no thread sees a history that is ahead of the state.
    @inlinable
    func applyAndRemember(_ change: StateChange<State>) -> Listeners {
        var (past, forgotten): (Past, [BoxContent]) = ((nil, nil), [])
        let subscribers = contents.withLock { contents -> Listeners in
            guard !contents.isOver else { return Listeners() }
            forgotten = contents.history.append(change.box)
            past = contents.apply(change)
            return contents.subscribersToNotify(isNotifying)
        }
        withExtendedLifetime((past, forgotten)) {}
        return subscribers
    }

    /// Notifies the subscribers of a state that is already visible.
    @inlinable
    func notify(_ subscribers: Listeners, _ change: StateChange<State>) {
        guard !subscribers.isEmpty else { return }
        subscribers.notify(change.notification)
        isNotifying.store(false, ordering: .releasing)
    }
}

extension StateStore: SubscriberList {
    /// Adds a subscriber, which receives every later change.
    func add(_ listener: Listener<StateNotification<State>>) {
        contents.withLock { _ = $0.allSubscribers.add(listener) }
    }

    func remove(_ listener: Listener<StateNotification<State>>) {
        contents.withLock { _ = $0.allSubscribers.remove(listener) }
    }

    /// Subscribes to the shown states.
    ///
    /// - Parameters:
    ///   - replayCurrent: Whether `body` is first called with the current state, on this thread, before this returns.
    ///   - showsInterim: Whether the replayed state may be an interim one; if false, the settled one is replayed.
    ///   - body: Called by the owner of the loop, with every later change.
    ///   - onEnd: Called once when no more states follow.
    @usableFromInline
    func subscribe(
        replayCurrent: Bool, showsInterim: Bool = true,
        _ body: @escaping @Sendable (StateNotification<State>) -> Void, onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        let listener = Listener(body, onEnd: onEnd)
        listener.begin(replayCurrent: replayCurrent, on: scheduler) { [self] listener in
            if replayCurrent { noteRead(ofHistory: false) }
            return withContents { contents in
                contents.allSubscribers.add(listener)
                let settled = StateChange(contents.visible, .committed)
                let present = showsInterim ? contents.present : settled
                return ({ present.notification }, contents.isOver)
            }
        }
        return token(of: listener, endsOnRelease: true)
    }

    /// Subscribes to the states that transitions settle on. Interim states are not delivered; if one is shown now, the
    /// settled state is replayed in its place.
    @inlinable
    func subscribeToSettled(
        replayCurrent: Bool, _ body: @escaping @Sendable (State) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        subscribe(
            replayCurrent: replayCurrent, showsInterim: false,
            { notification in if notification.kind == .committed { body(notification.state) } }, onEnd: onEnd)
    }

    /// Removes all subscribers and notifies them of the end. The states stay readable.
    @usableFromInline
    func close() {
        let (subscribers, past) = contents.withLock { contents in
            contents.isOver = true
            return (contents.allSubscribers.close(), contents.endOverriding())
        }
        withExtendedLifetime(past) {}
        subscribers.finish()
    }
}

/// A state that is shown, boxed, and the kind of the change.
@usableFromInline
struct StateChange<State: Sendable>: Sendable {
    @usableFromInline let box: ValueBox<State>
    @usableFromInline let kind: StateChangeKind

    @inlinable
    init(_ box: ValueBox<State>, _ kind: StateChangeKind) { (self.box, self.kind) = (box, kind) }

    /// The notification of this change, with the state copied out of the box once for all listeners.
    @inlinable var notification: StateNotification<State> { StateNotification(box.value, kind) }
}

/// The message to a listener: the shown state and the kind of the change.
@usableFromInline
struct StateNotification<State: Sendable>: Sendable {
    @usableFromInline let state: State
    @usableFromInline let kind: StateChangeKind

    @inlinable
    init(_ state: State, _ kind: StateChangeKind) {
        self.state = state
        self.kind = kind
    }

    @usableFromInline var shown: Shown<State> { kind == .interim ? .loading(state) : .settled(state) }
}

extension Listener {
    /// A listener that calls a callback with the shown states.
    convenience init<State>(showing callback: Callback<State>, _ priority: Priority)
    where Message == StateNotification<State> {
        self.init(callback, priority) { $0.state }
    }
}

@usableFromInline
package enum StateChangeKind: Sendable {
    /// A transition settled on the state.
    case committed
    /// The running transition emitted the state as an interim one.
    case interim
    /// The settled state is shown again, because the transition that had shown an interim state ended without a new
    /// one.
    case reverted
}
