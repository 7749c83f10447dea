public import Promise

/// A state machine whose reducer is asynchronous: `(State, Event) -> Promise<State>`.
///
/// The reducer only describes the transition. The system runs it, shows loading states while it is in flight,
/// queues the events that arrive meanwhile, and shows the result.
///
/// ```swift
/// let counter = System<Int, Int>(initialState: 0, scheduler: .immediate) { state, event in
///     .value(state + event)
/// }
/// counter.addLoopCallback { state in print("now", state) }
/// counter.sendEvent(1)
/// print(counter.state)
/// ```
///
/// Events can be sent from any thread. They are processed one at a time; the events of one sender keep their order.
/// A transition that fails leaves the state unchanged and is reported, and the next event is processed. Releasing
/// the system cancels running work and discards pending events; the work of a transition never retains its system.
public final class System<State: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let loop: Loop<State, Event>

    /// Creates a system on the given scheduler.
    ///
    /// - Parameters:
    ///   - initialState: The first settled state; readable at once, and shown on the scheduler.
    ///   - scheduler: Runs the reducer, the feedbacks, and the bindings and callbacks that belong to no actor; its
    ///     clock is used for all timing. By default the main queue.
    ///   - reducer: Describes the transition; called once for each event, with the last settled state.
    ///   - feedbacks: Start the effects that follow from states and events; evaluated in this order.
    ///   - middleware: May stop or replace an event before the reducer sees it, and sees it again after its turn.
    ///   - uiBindings: Called with every shown state, the initial one first, in this order; nil entries are skipped.
    ///   - configuration: How events are treated, and how many states are kept.
    @inlinable
    public init(
        initialState: State, scheduler: some SerialScheduler = .main, reducer: Reducer<State, Event>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: UIBindings<State> = [], configuration: Configuration = .init()
    ) {
        loop = Loop(
            initialState: ValueBox(initialState), scheduler: scheduler, reducer: reducer,
            middleware: middleware, configuration: configuration)
        // Created in inlinable code, so that events sent by effects are received by code specialised for these types.
        let feedback = Feedback.combined(feedbacks)
        if !feedback.origins.isEmpty {
            let effects = RunningFeedbacks(feedback, loop)
            // A system that is created while another one is explored is observed from the start.
            effects.probe = loop.probe?.observer
            loop.effects = effects
        }
        loop.begin(uiBindings)
    }

    /// Creates a system on the given scheduler, with an asynchronous reducer as trailing closure.
    ///
    /// - Parameters:
    ///   - initialState: The first settled state; readable at once, and shown on the scheduler.
    ///   - scheduler: Runs the reducer, the feedbacks, and the bindings and callbacks that belong to no actor; its
    ///     clock is used for all timing. By default the main queue.
    ///   - feedbacks: Start the effects that follow from states and events; evaluated in this order.
    ///   - middleware: May stop or replace an event before the reducer sees it, and sees it again after its turn.
    ///   - uiBindings: Called with every shown state, the initial one first, in this order; nil entries are skipped.
    ///   - configuration: How events are treated, and how many states are kept.
    ///   - reducer: Describes the transition; called once for each event, with the last settled state.
    @inlinable
    public convenience init(
        initialState: State, scheduler: some SerialScheduler = .main,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: UIBindings<State> = [], configuration: Configuration = .init(),
        reducer: @escaping @Sendable (State, Event) -> Promise<State>
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: Reducer(reducer),
            feedbacks: feedbacks, middleware: middleware, uiBindings: uiBindings, configuration: configuration
        )
    }

    /// Creates a system on the given scheduler, with an asynchronous reducer before the optional arguments.
    ///
    /// - Parameters:
    ///   - initialState: The first settled state; readable at once, and shown on the scheduler.
    ///   - scheduler: Runs the reducer, the feedbacks, and the bindings and callbacks that belong to no actor; its
    ///     clock is used for all timing. By default the main queue.
    ///   - reducer: Describes the transition; called once for each event, with the last settled state.
    ///   - feedbacks: Start the effects that follow from states and events; evaluated in this order.
    ///   - middleware: May stop or replace an event before the reducer sees it, and sees it again after its turn.
    ///   - uiBindings: Called with every shown state, the initial one first, in this order; nil entries are skipped.
    ///   - configuration: How events are treated, and how many states are kept.
    @_disfavoredOverload @inlinable
    public convenience init(
        initialState: State, scheduler: some SerialScheduler = .main,
        reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        feedbacks: [Feedback<State, Event>] = [], middleware: Middleware<State, Event> = .identity,
        uiBindings: UIBindings<State> = [], configuration: Configuration = .init()
    ) {
        self.init(
            initialState: initialState, scheduler: scheduler, reducer: Reducer(reducer),
            feedbacks: feedbacks, middleware: middleware, uiBindings: uiBindings, configuration: configuration
        )
    }

    deinit { loop.stop() }

    /// The last settled state, readable from any thread. Loading states are in ``shown`` only.
    @inlinable public var state: State { loop.store.settled }

    /// A source of the settled states: the current one, and each one that a transition settles on.
    @inlinable public var settled: Source<State> {
        let store = loop.store
        let attach: Source<State>.Attach = { replayCurrent, body, onEnd in
            store.subscribeToSettled(replayCurrent: replayCurrent, body, onEnd: onEnd)
        }
        return Source(
            identity: store.settledIdentity, read: { store.settled }, isNotifying: { store.isNotifyingNow },
            attachToAll: attach, attach: attach)
    }

    /// A source of all shown states, settled and loading ones.
    public var shown: Source<Shown<State>> {
        let store = loop.store
        return Source(
            identity: store.shownIdentity, read: { store.present.notification.shown },
            isNotifying: { store.isNotifyingNow }
        ) { replayCurrent, body, onEnd in
            store.subscribe(replayCurrent: replayCurrent, { body($0.shown) }, onEnd: onEnd)
        }
    }

    /// A snapshot of the shown states that are kept, oldest first; empty with ``HistoryLimit/none``.
    public var history: History<State> { loop.store.pastStates }

    /// Processes delayed events now: those of ``EventPolicy/debounce(_:key:keepsOrder:)``, and the last ones in the
    /// windows of ``EventPolicy/throttle(_:edges:key:keepsOrder:)``. They are enqueued in the order in which they were
    /// sent, behind the events that are pending. The window of a throttle stays as it is.
    ///
    /// It is seldom needed, because an event that arrives later does the same with all delayed events that have
    /// `keepsOrder`, before it is enqueued, or when its own delay ends; unless it is dropped, has the policy
    /// ``EventPolicy/replace``, or is sent by the work of a feedback or by middleware in its call.
    ///
    /// - Parameter key: The key of the event to process, also before events of other keys that were sent earlier; nil
    ///   for all.
    public func flush(_ key: EffectKey? = nil) { loop.receive(.flush(key)) }

    /// Sends an event, from any thread.
    ///
    /// If the caller is on the system's scheduler and the system is idle, the reducer has run when this
    /// returns. Otherwise the event is enqueued, behind the earlier events of the same sender. After ``stop()`` this
    /// is a no-op.
    ///
    /// - Parameters:
    ///   - event: What happened; the reducer receives it, unless middleware stops or replaces it.
    ///   - policy: Whether the event is queued, dropped or delayed on arrival; nil for the system's `eventPolicy`.
    @inlinable
    public func sendEvent(
        _ event: Event, policy: EventPolicy? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        loop.receive(event, policy, Origin(file, line))
    }

    /// Ends the system before it is released: cancels running work, discards pending events, and releases bindings
    /// and callbacks. Nothing is shown afterwards, and later events are discarded. The state stays readable. Further
    /// calls are no-ops.
    @inlinable public func stop() { loop.stop() }
}
