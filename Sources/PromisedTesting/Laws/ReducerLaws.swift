public import PromisedSystem

/// The laws of a reducer, for `Reducer` or your own reducer-like type.
///
/// ```swift
/// import PromisedSystem
/// import PromisedTesting
///
/// let adding = Reducer<Int, Int> { count, number in count += number }
/// let bounded = Reducer<Int, Int> { count, _ in count = min(count, 10) }
/// let laws = ReducerLaws(
///     ["adding": adding, "bounded": bounded],
///     states: { Int.random(in: 0...20, using: &$0) }, events: { Int.random(in: -9...9, using: &$0) })
/// checkLaws(laws.all)
/// ```
///
/// Each reducer has a name, which counterexamples show.
public struct ReducerLaws<Subject, State: Sendable, Event: Sendable, Outcome: Equatable & Sendable>: Sendable
{
    /// A reducer with the name that counterexamples show.
    struct Named: Sendable, CustomStringConvertible {
        let description: String
        let make: @Sendable () -> Subject
    }

    let reducers: [Named]
    let states: @Sendable (inout LawRandom) -> State
    let events: @Sendable (inout LawRandom) -> Event
    let identity: (@Sendable () -> Subject)?
    let combine: (@Sendable (Subject, Subject) -> Subject)?
    let effects: (@Sendable () -> Int)?
    let reduce: @Sendable (Subject, State, Event) -> () -> Outcome

    /// - Parameters:
    ///   - reducers: Reducers to test, by name; not empty.
    ///   - states: Returns a random state.
    ///   - events: Returns a random event.
    ///   - identity: The reducer that changes nothing.
    ///   - combine: Combines two reducers; the left one runs first.
    ///   - effects: Returns the number of side effects so far, such as the calls of a ``Stub``.
    ///   - reduce: Invokes a reducer without side effects, and returns a closure that runs what the reducer has
    ///     described and returns its outcome.
    public init(
        _ reducers: KeyValuePairs<String, Subject>, states: @escaping @Sendable (inout LawRandom) -> State,
        events: @escaping @Sendable (inout LawRandom) -> Event, identity: Subject? = nil,
        combine: (@Sendable (Subject, Subject) -> Subject)? = nil, effects: (@Sendable () -> Int)? = nil,
        reduce: @escaping @Sendable (Subject, State, Event) -> () -> Outcome
    ) where Subject: Sendable {
        self.reducers = reducers.map { named in Named(description: named.key) { named.value } }
        (self.states, self.events) = (states, events)
        self.identity = identity.map { identity in { @Sendable in identity } }
        (self.combine, self.effects, self.reduce) = (combine, effects, reduce)
    }

    /// The laws of a `Reducer`. Loading states and instants are compared too, in virtual time.
    ///
    /// - Parameters:
    ///   - reducers: Reducers to test, by name; not empty.
    ///   - states: Returns a random state.
    ///   - events: Returns a random event.
    ///   - effects: Returns the number of side effects so far, such as the calls of a ``Stub``.
    public init(
        _ reducers: KeyValuePairs<String, Subject>, states: @escaping @Sendable (inout LawRandom) -> State,
        events: @escaping @Sendable (inout LawRandom) -> Event, effects: (@Sendable () -> Int)? = nil
    ) where Subject == Reducer<State, Event>, Outcome == PromiseTrace<State>, State: Equatable {
        self.init(
            reducers, states: states, events: events, identity: .identity, combine: { $0 <> $1 },
            effects: effects
        ) { reducer, state, event in
            let promise = reducer(state, event)
            return { PromiseTrace(promise) }
        }
    }
}
