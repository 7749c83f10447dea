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
        case nothing
    }

    @usableFromInline let step: Step

    @inlinable
    init(step: Step) { self.step = step }

    /// A step that changes the state where it is.
    ///
    /// - Parameter reduce: Pure: it looks at nothing but its arguments and does nothing else.
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

    /// A step that returns the next state.
    ///
    /// - Parameter reduce: Pure: it looks at nothing but its arguments and does nothing else.
    @inlinable
    public init(returning reduce: @escaping @Sendable (State, Event) -> State) {
        self.init { state, event in state = reduce(state, event) }
    }

    /// The step that leaves every state as it is.
    public static var identity: Reducer { Reducer(step: .nothing) }

    /// The next state, as a promise that has not been started; fulfilled already when the step is a plain one.
    @inlinable
    public func callAsFunction(_ state: State, _ event: Event) -> Promise<State> {
        switch step {
        case .nothing: return .value(state)
        case .promise(let reduce): return reduce(state, event)
        case .inPlace(let reduce):
            var next = state
            reduce(&next, event)
            return .value(next)
        }
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
        switch (left.step, right.step) {
        case (.nothing, _): right
        case (_, .nothing): left
        case (.inPlace(let first), .inPlace(let second)):
            Reducer { state, event in
                first(&state, event)
                second(&state, event)
            }
        case (.inPlace(let first), .promise(let second)):
            Reducer { state, event in
                var state = state
                first(&state, event)
                return second(state, event)
            }
        case (.promise(let first), .inPlace(let second)):
            Reducer { state, event in
                first(state, event).map { state in
                    var state = state
                    second(&state, event)
                    return state
                }
            }
        case (.promise(let first), .promise(let second)):
            Reducer { state, event in
                let next = first(state, event)
                if let state = next.plainValue { return second(state, event) }
                return next.goOn(at: Origin(#fileID, #line)) { second($0, event) }
            }
        }
    }
}
