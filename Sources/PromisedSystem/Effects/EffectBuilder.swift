/// Builds an ``Effect`` from a closure of promises and effects, in the branches of `if` and `switch`; an `if` needs no
/// `else`.
///
/// ```swift
/// enum Event { case search(String), found([String]) }
///
/// let searching = Feedback<Int, Event>.onEvent(
///     { if case .search(let text) = $0 { text } else { nil } }, policy: .replace
/// ) { text in
///     if text.isEmpty {
///         Effect.none
///     } else {
///         Promise.value([text]).map { .found($0) }
///     }
/// }
/// ```
///
/// With an explicit `return` the builder is not applied, and all branches must have one type. Return a promise as its
/// ``EffectSource/effect`` there.
@resultBuilder
public enum EffectBuilder<Event: Sendable>: Sendable {
    /// Converts an effect, or a promise of an event, to an effect.
    public static func buildExpression(_ work: some EffectSource<Event>) -> Effect<Event> { work.effect }

    /// Accepts exactly one effect; combine several with ``Effect/merge(_:)-(Effect<Event>...)``.
    public static func buildBlock(_ effect: Effect<Event>) -> Effect<Event> { effect }

    /// The first branch of an `if` or `switch`.
    public static func buildEither(first effect: Effect<Event>) -> Effect<Event> { effect }

    /// The second branch of an `if` or `switch`.
    public static func buildEither(second effect: Effect<Event>) -> Effect<Event> { effect }

    /// An `if` without `else`: ``Effect/none`` if the condition is false.
    public static func buildOptional(_ effect: Effect<Event>?) -> Effect<Event> { effect ?? .none }

    /// A branch of an `if #available`.
    public static func buildLimitedAvailability(_ effect: Effect<Event>) -> Effect<Event> { effect }
}

/// Builds an optional payload from a closure of values, `nil` and `if` or `switch` branches; used by feedbacks to
/// extract the request from an event.
///
/// ```swift
/// enum Event { case search(String), found([String]) }
///
/// let reporting = Feedback<Int, Event>.onEvent(
///     { if case .search(let text) = $0 { text } else { nil } }
/// ) { text in
///     Effect.fireAndForget { print("searched", text) }
/// }
/// ```
@resultBuilder
public enum PayloadBuilder<Payload>: Sendable {
    /// A payload, or nil if the event starts no work.
    public static func buildExpression(_ payload: Payload?) -> Payload? { payload }

    /// Accepts exactly one payload per branch.
    public static func buildBlock(_ payload: Payload?) -> Payload? { payload }

    /// The first branch of an `if` or `switch`.
    public static func buildEither(first payload: Payload?) -> Payload? { payload }

    /// The second branch of an `if` or `switch`.
    public static func buildEither(second payload: Payload?) -> Payload? { payload }

    /// An `if` without `else`: nil if the condition is false.
    public static func buildOptional(_ payload: Payload??) -> Payload? { payload ?? nil }

    /// A branch of an `if #available`.
    public static func buildLimitedAvailability(_ payload: Payload?) -> Payload? { payload }
}
