public import PromisedSystem

/// The laws of a reducer, for those of your own, whatever they look like.
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
/// Reducers have names, by which a counterexample calls them.
public struct ReducerLaws<Subject, State: Sendable, Event: Sendable, Outcome: Equatable & Sendable>: Sendable
{
    typealias Named = Recipe<Subject>

    let reducers: [Named]
    let states: @Sendable (inout LawRandom) -> State
    let events: @Sendable (inout LawRandom) -> Event
    let identity: (@Sendable () -> Subject)?
    let combine: (@Sendable (Subject, Subject) -> Subject)?
    let effects: (@Sendable () -> Int)?
    let reduce: @Sendable (Subject, State, Event) -> () -> Outcome

    /// - Parameters:
    ///   - reducers: Some reducers, by name; not empty.
    ///   - states: Random states.
    ///   - events: Random events.
    ///   - identity: The one that changes nothing.
    ///   - combine: Makes one of two: the left one first.
    ///   - effects: How much has been done outside so far, such as the calls of a ``Stub``.
    ///   - reduce: Asks a reducer. What it returns does what the reducer has described, and tells the outcome; to build
    ///     that must do nothing yet.
    public init(
        _ reducers: KeyValuePairs<String, Subject>, states: @escaping @Sendable (inout LawRandom) -> State,
        events: @escaping @Sendable (inout LawRandom) -> Event, identity: Subject? = nil,
        combine: (@Sendable (Subject, Subject) -> Subject)? = nil, effects: (@Sendable () -> Int)? = nil,
        reduce: @escaping @Sendable (Subject, State, Event) -> () -> Outcome
    ) where Subject: Sendable {
        self.reducers = reducers.map { named in Recipe(description: named.key) { named.value } }
        (self.states, self.events) = (states, events)
        self.identity = identity.map { identity in { @Sendable in identity } }
        (self.combine, self.effects, self.reduce) = (combine, effects, reduce)
    }

    /// Those of ``PromisedSystem/Reducer``: what is shown and when counts as well, in virtual time.
    ///
    /// - Parameters:
    ///   - reducers: Some reducers, by name; not empty.
    ///   - states: Random states.
    ///   - events: Random events.
    ///   - effects: How much has been done outside so far, such as the calls of a ``Stub``.
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
