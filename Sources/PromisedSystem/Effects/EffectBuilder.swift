/// What stands in a closure that describes work: promises, effects, and nothing, in the branches of an `if` or `switch`.
///
/// ```swift
/// enum Event { case search(String), found([String]) }
///
/// let searching = Feedback<Int, Event>.withLatest(
///     events: { if case .search(let text) = $0 { text } else { nil } }
/// ) { text in
///     if text.isEmpty {
///         Effect.none
///     } else {
///         Promise.value([text]).map { .found($0) }
///     }
/// }
/// ```
///
/// A closure that says `return` is an ordinary one: all of its results have one type. Give a promise as its
/// ``EffectSource/effect`` there.
@resultBuilder
public enum EffectBuilder<Event: Sendable>: Sendable {
    /// An effect, or a promise of an event.
    @inlinable
    public static func buildExpression(_ work: some EffectSource<Event>) -> Effect<Event> { work.effect }

    /// One piece of work; several are merged by ``Effect/merge(_:)-(Effect...)``.
    @inlinable
    public static func buildBlock(_ effect: Effect<Event>) -> Effect<Event> { effect }

    /// A branch that is taken.
    @inlinable
    public static func buildEither(first effect: Effect<Event>) -> Effect<Event> { effect }

    /// The other branch.
    @inlinable
    public static func buildEither(second effect: Effect<Event>) -> Effect<Event> { effect }

    /// An `if` without `else`: where its condition does not hold, no work.
    @inlinable
    public static func buildOptional(_ effect: Effect<Event>?) -> Effect<Event> { effect ?? .none }

    /// A branch for some versions of a platform.
    @inlinable
    public static func buildLimitedAvailability(_ effect: Effect<Event>) -> Effect<Event> { effect }
}

/// What stands in a closure that extracts something from an event: values and nil, in the branches of an `if` or
/// `switch`.
///
/// ```swift
/// enum Event { case search(String), found([String]) }
///
/// let reporting = Feedback<Int, Event>.merging(
///     events: { if case .search(let text) = $0 { text } else { nil } }
/// ) { text in
///     Effect.fireAndForget { print("searched", text) }
/// }
/// ```
@resultBuilder
public enum PayloadBuilder<Payload>: Sendable {
    /// A value, or nil.
    @inlinable
    public static func buildExpression(_ payload: Payload?) -> Payload? { payload }

    /// The one value of a branch.
    @inlinable
    public static func buildBlock(_ payload: Payload?) -> Payload? { payload }

    /// A branch that is taken.
    @inlinable
    public static func buildEither(first payload: Payload?) -> Payload? { payload }

    /// The other branch.
    @inlinable
    public static func buildEither(second payload: Payload?) -> Payload? { payload }

    /// An `if` without `else`: where its condition does not hold, nil.
    @inlinable
    public static func buildOptional(_ payload: Payload??) -> Payload? { payload ?? nil }

    /// A branch for some versions of a platform.
    @inlinable
    public static func buildLimitedAvailability(_ payload: Payload?) -> Payload? { payload }
}
