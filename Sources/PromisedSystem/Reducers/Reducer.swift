public import Promise

/// What follows from an event: a pure step from one state to the next, as a value that can be combined.
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
/// A step that changes the state in place, or returns the next one, is done when it returns. One that returns a
/// promise describes what the system is to wait for. Reducers form a monoid: grouping makes no difference, and
/// ``identity`` on either side changes nothing.
public struct Reducer<State: Sendable, Event: Sendable>: Sendable {
    @usableFromInline
    enum Step: Sendable {
        case inPlace(@Sendable (inout State, Event) -> Void)
        case promise(@Sendable (State, Event) -> Promise<State>)
        /// One after the other; flat, so that grouping cannot make a difference.
        case several([Step])

        var all: [Step] { if case .several(let steps) = self { steps } else { [self] } }
    }

    @usableFromInline let step: Step
    /// Whether it is for a part, or has one in it, that need not be there.
    @usableFromInline let mayMissPart: Bool
    /// Whether an event means something to the parts that it is for; nil where every event does.
    @usableFromInline let isFor: (@Sendable (Event) -> Bool)?

    var isInPlace: Bool { if case .inPlace = step { true } else { false } }

    @inlinable
    init(step: Step, mayMissPart: Bool = false, isFor: (@Sendable (Event) -> Bool)? = nil) {
        (self.step, self.mayMissPart, self.isFor) = (step, mayMissPart, isFor)
    }

    /// A step that changes the state where it is, so that a large one is not copied.
    ///
    /// - Parameter reduce: Pure: it looks at nothing but its arguments and does nothing else. A system keeps the state
    ///   that it began with for a step that looks at it all the same: that is what it is shown the first time, with a
    ///   report; from then on it works on a copy.
    @inlinable
    public init(_ reduce: @escaping @Sendable (inout State, Event) -> Void) {
        self.init(step: .inPlace(reduce))
    }

    /// A step that takes its time.
    ///
    /// - Parameter reduce: Pure: it describes what is to be done, and the system does it.
    @inlinable
    public init(_ reduce: @escaping @Sendable (State, Event) -> Promise<State>) {
        self.init(step: .promise(reduce))
    }

    /// A step that takes its time for some events, and changes the state where it is for the others.
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
    /// - Parameter reduce: Pure. It returns nil when it has made the next state of its argument, or else describes what
    ///   is to be done; the promise then gives the whole next state, and what was changed in place does not count. It
    ///   works on a copy of the state.
    @_disfavoredOverload @inlinable
    public init(_ reduce: @escaping @Sendable (inout State, Event) -> Promise<State>?) {
        // Disfavoured, or a closure without any `return` would fit both forms that change the state.
        self.init(
            step: .promise { state, event in
                var next = state
                return reduce(&next, event) ?? .value(next)
            })
    }

    /// A step that returns the next state.
    ///
    /// - Parameter reduce: Pure: it looks at nothing but its arguments and does nothing else.
    @inlinable
    public init(returning reduce: @escaping @Sendable (State, Event) -> State) {
        self.init { state, event in state = reduce(state, event) }
    }

    /// The step that leaves every state as it is.
    public static var identity: Reducer { Reducer(step: .several([]), isFor: { _ in false }) }

    /// The next state, as a promise that has not been started; fulfilled already when the step is a plain one.
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

    /// What takes no time is done at once; the rest is described.
    @usableFromInline
    static func run(_ steps: [Step], _ state: State, _ event: Event) -> Promise<State> {
        var promise = Promise.value(state)
        for step in steps {
            let next = Reducer(step: step)
            if let state = promise.fulfilledValue {
                promise = next(state.value, event)
            } else if case .promise = step {
                promise = promise.goOn(at: Origin(#fileID, #line)) { next($0, event) }
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
    /// One reducer of several: each gets what the one before it has made of the state.
    ///
    /// The state is committed once, after the last. A step that takes its time is waited for, and then the whole
    /// takes its time: what it shows meanwhile goes through the plain steps behind it. If one is rejected, so is
    /// the whole.
    public static func combined(_ reducers: [Reducer]) -> Reducer { reducers.reduce(.identity, <>) }

    /// One reducer of several, in this order.
    public static func combined(_ reducers: Reducer...) -> Reducer { combined(reducers) }

    /// `left`, then `right` on what it has made of the state.
    public static func <> (left: Reducer, right: Reducer) -> Reducer {
        let mayMissPart = left.mayMissPart || right.mayMissPart
        var isFor: (@Sendable (Event) -> Bool)?
        if let left = left.isFor, let right = right.isFor { isFor = { left($0) || right($0) } }
        // Two that take no time are one that takes none.
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
