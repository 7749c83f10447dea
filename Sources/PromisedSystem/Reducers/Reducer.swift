public import Promise

/// A pure function from a state and an event to the next state, synchronous or asynchronous, as a composable value.
///
/// ```swift
/// enum Event { case add(Int), clear }
///
/// let counting = Reducer<Int, Event> { count, event in
///     switch event {
///     case .add(let number): count += number
///     case .clear: count = 0
///     }
/// }
/// let bounded = Reducer<Int, Event> { count, _ in count = min(count, 10) }
/// let counter = System(initialState: 0, scheduler: .immediate, reducer: counting <> bounded)
/// counter.sendEvent(.add(11))
/// print(counter.state)
/// ```
///
/// A reducer that changes the state in place, or returns the next one, is synchronous: the transition is over when it
/// returns. One that returns a promise is asynchronous: the system starts the promise and waits for it. Reducers form
/// a monoid: grouping makes no difference, and ``identity`` on either side changes nothing.
public struct Reducer<State: Sendable, Event: Sendable>: Sendable {
    @usableFromInline
    enum ReducerStep: Sendable {
        case inPlace(@Sendable (inout State, Event) -> Void)
        case promise(@Sendable (State, Event) -> Promise<State>)
        /// Several steps in sequence; never nested, so that grouping makes no difference.
        case several([ReducerStep])

        var all: [ReducerStep] { if case .several(let steps) = self { steps } else { [self] } }
    }

    @usableFromInline let step: ReducerStep
    /// Whether it was lifted from, or contains a reducer lifted from, a part of the state that may not exist.
    @usableFromInline let mayMissPart: Bool
    /// Whether an event is meant for one of the parts that it was lifted from; nil if every event is handled.
    @usableFromInline let isFor: (@Sendable (Event) -> Bool)?

    var reduceInPlace: (@Sendable (inout State, Event) -> Void)? {
        if case .inPlace(let reduce) = step { reduce } else { nil }
    }

    @inlinable
    init(step: ReducerStep, mayMissPart: Bool = false, isFor: (@Sendable (Event) -> Bool)? = nil) {
        (self.step, self.mayMissPart, self.isFor) = (step, mayMissPart, isFor)
    }

    /// Creates a synchronous reducer that changes the state in place, so that a large state is not copied.
    ///
    /// - Parameter reduce: A pure function: it reads only its arguments and has no side effects. Readers on other
    ///   threads wait until it returns. A read of the system's own state is reported to `PromiseDiagnostics`; the first
    ///   one gets the initial state, because the current one is being changed, and from then on the system passes a
    ///   copy.
    @inlinable
    public init(_ reduce: @escaping @Sendable (inout State, Event) -> Void) {
        self.init(step: .inPlace(reduce))
    }

    /// Creates an asynchronous reducer.
    ///
    /// - Parameter reduce: A pure function: it returns a promise that describes the work, and the system starts it. If
    ///   the promise is rejected, the state stays as it was, and the error goes to the system's `onError`.
    @inlinable
    public init(_ reduce: @escaping @Sendable (State, Event) -> Promise<State>) {
        self.init(step: .promise(reduce))
    }

    /// Creates a reducer that is asynchronous for some events, and changes the state synchronously for others.
    ///
    /// ```swift
    /// struct State { var count = 0, price: Int? }
    /// enum Event { case add, refresh }
    ///
    /// let shopping = Reducer<State, Event> { state, event in
    ///     switch event {
    ///     case .add:
    ///         state.count += 1
    ///         return nil
    ///     case .refresh:
    ///         return Promise.value(3).map { [state] price in State(count: state.count, price: price) }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter reduce: A pure function. It either changes its argument, a copy of the state, into the next state
    ///   and returns nil, or returns a promise of the whole next state; in-place changes are then discarded.
    @_disfavoredOverload @inlinable
    public init(_ reduce: @escaping @Sendable (inout State, Event) -> Promise<State>?) {
        // Disfavoured: a closure without a `return` would otherwise be ambiguous with the in-place initialiser.
        self.init(
            step: .promise { state, event in
                var next = state
                return reduce(&next, event) ?? .value(next)
            })
    }

    /// Creates a synchronous reducer that returns the next state.
    ///
    /// - Parameter reduce: A pure function: it reads only its arguments and has no side effects.
    @inlinable
    public init(returning reduce: @escaping @Sendable (State, Event) -> State) {
        self.init { state, event in state = reduce(state, event) }
    }

    /// The neutral element: a reducer that leaves the state unchanged.
    public static var identity: Reducer { Reducer(step: .several([]), isFor: { _ in false }) }

    /// Applies the reducer to a state and an event.
    ///
    /// - Returns: A promise of the next state, not started yet; already fulfilled if the reducer is synchronous.
    @inlinable
    public func callAsFunction(_ state: State, _ event: Event) -> Promise<State> {
        switch step {
        case .promise(let reduce): return reduce(state, event)
        case .inPlace(let reduce):
            var next = ValueBox(state)
            next.change { reduce(&$0, event) }
            return Promise(next)
        case .several(let steps): return Self.run(steps, state, event)
        }
    }

    /// Runs steps in sequence: synchronously as long as the promise is fulfilled, and as continuations from then on.
    @usableFromInline
    static func run(_ steps: [ReducerStep], _ state: State, _ event: Event) -> Promise<State> {
        var promise = Promise.value(state)
        for step in steps {
            let next = Reducer(step: step)
            if let state = promise.fulfilledValue {
                promise = next(state.value, event)
            } else if case .promise = step {
                promise = promise.flatMapForwardingInterims(at: Origin(#fileID, #line)) {
                    next($0, event)
                }
            } else if case .inPlace(let reduce) = step {
                promise = promise.map { state in
                    var state = state
                    reduce(&state, event)
                    return state
                }
            }
        }
        return promise
    }
}

extension Reducer {
    /// Combines reducers into one that runs them in sequence, each on the state that the previous one produced.
    ///
    /// The state is committed once, after the last reducer. If one is asynchronous, so is the whole: the next one runs
    /// when its promise settles, and the interim states that it emits pass through the synchronous reducers after it.
    /// If one is rejected, so is the whole, and the following ones don't run.
    public static func combined(_ reducers: [Reducer]) -> Reducer { reducers.reduce(.identity, <>) }

    /// Combines reducers into one that runs them in this order.
    public static func combined(_ reducers: Reducer...) -> Reducer { combined(reducers) }

    /// Combines two reducers: `left` first, then `right` on the state that `left` produced.
    public static func <> (left: Reducer, right: Reducer) -> Reducer {
        let mayMissPart = left.mayMissPart || right.mayMissPart
        var isFor: (@Sendable (Event) -> Bool)?
        if let left = left.isFor, let right = right.isFor { isFor = { left($0) || right($0) } }
        // Two in-place reducers combine to one in-place reducer.
        if case .inPlace(let first) = left.step, case .inPlace(let second) = right.step {
            let both: @Sendable (inout State, Event) -> Void = { state, event in
                first(&state, event)
                second(&state, event)
            }
            return Reducer(step: .inPlace(both), mayMissPart: mayMissPart, isFor: isFor)
        }
        let steps = left.step.all + right.step.all
        return Reducer(
            step: steps.count == 1 ? steps[0] : .several(steps), mayMissPart: mayMissPart, isFor: isFor)
    }
}
