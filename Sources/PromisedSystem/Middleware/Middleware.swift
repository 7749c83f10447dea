/// Intercepts every event: before the reducer, where it can stop or replace the event, and again when its turn is over.
///
/// ```swift
/// enum Event: Equatable { case add(Int), secret }
///
/// let bouncer = Middleware<Int, Event>(before: { event, _ in event == .secret ? .stop : .pass })
/// let logger = Middleware<Int, Event>(
///     before: { event, system in
///         print("before", event, system.state)
///         return .pass
///     },
///     after: { event, system in print("after", event, system.state) })
/// let counter = System<Int, Event>(
///     initialState: 0, scheduler: .immediate, middleware: bouncer <> logger
/// ) { state, event in
///     if case .add(let number) = event { .value(state + number) } else { .value(state) }
/// }
/// counter.sendEvent(.secret)
/// counter.sendEvent(.add(2))
/// ```
///
/// Middleware can read the state and send events, but can't write the state. It is a monoid: `left <> right` calls
/// `left` first before a turn and `right` first after it, and ``identity`` on either side changes nothing.
public struct Middleware<State: Sendable, Event: Sendable>: Sendable {
    /// The decision of `before` about an event.
    public enum Decision: Sendable {
        /// Passes the event on unchanged, to the next middleware and the reducer.
        case pass
        /// Passes another event on in its place.
        case replace(Event)
        /// Stops the event: no further middleware and no reducer is called. Its record has the outcome `stopped`.
        case stop
    }

    @usableFromInline typealias Before = @Sendable (Event, Context) -> Decision
    @usableFromInline typealias After = @Sendable (Event, Context) -> Void

    @usableFromInline
    struct Layer: Sendable {
        @usableFromInline let before: Before?
        @usableFromInline let after: After?
        @usableFromInline let isStateful: Bool

        init(before: Before?, after: After?, isStateful: Bool) {
            (self.before, self.after, self.isStateful) = (before, after, isStateful)
        }
    }

    /// The layers, outermost first.
    @usableFromInline let layers: [Layer]

    /// Creates middleware of one layer.
    ///
    /// - Parameters:
    ///   - isStateful: Whether a call depends on earlier ones in another way than by the state of the system, for
    ///     example by a counter that the closures capture, or by an answer or a clock reading that they keep. An
    ///     exploration takes such middleware to remember all of that, so that fewer paths lead to the same
    ///     configuration; it has no other effect.
    ///   - before: Called on the system's scheduler with each event before the reducer; decides about the event.
    ///   - after: Called on the system's scheduler when the turn is over, whether it settled, failed or was replaced,
    ///     with the event as this layer passed it on. By then, the state is the new one, if the transition has settled.
    ///     Not called for an event that this layer or an outer one stopped.
    public init(
        isStateful: Bool = false,
        before: (@Sendable (Event, Context) -> Decision)? = nil,
        after: (@Sendable (Event, Context) -> Void)? = nil
    ) {
        let isEmpty = before == nil && after == nil
        layers = isEmpty ? [] : [Layer(before: before, after: after, isStateful: isStateful)]
    }

    init(layers: [Layer]) { self.layers = layers }

    @usableFromInline var isStateful: Bool { layers.contains(where: \.isStateful) }

    /// The neutral element: middleware that passes every event on.
    public static var identity: Middleware { Middleware(layers: []) }

    /// Combines two: `left` is the outer layer, called first before a turn and last after it.
    public static func <> (left: Middleware, right: Middleware) -> Middleware {
        Middleware(layers: left.layers + right.layers)
    }

    /// Combines any number of middleware; the first is the outermost layer.
    public static func combined(_ all: [Middleware]) -> Middleware {
        Middleware(layers: all.flatMap { $0.layers })
    }

    /// Combines any number of middleware; the first is the outermost layer.
    public static func combined(_ all: Middleware...) -> Middleware { combined(all) }
}
