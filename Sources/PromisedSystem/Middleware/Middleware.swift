/// May this event pass? Looks at every event before the reducer does and again when its turn is over.
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
/// Middleware reads the state and cannot write it; it can send events. It is a monoid: `left <> right` asks
/// `left` first before a turn and `right` first after it, and ``identity`` on either side changes nothing.
public struct Middleware<State: Sendable, Event: Sendable>: Sendable {
    /// What becomes of an event.
    public enum Decision: Sendable {
        /// It goes on as it is.
        case pass
        /// Another goes on in its place.
        case replace(Event)
        /// It has no turn: no reducer sees it, and the record of the loop says so.
        case stop
    }

    @usableFromInline typealias Before = @Sendable (Event, Context) -> Decision
    @usableFromInline typealias After = @Sendable (Event, Context) -> Void

    @usableFromInline
    struct Layer: Sendable {
        @usableFromInline let before: Before?
        @usableFromInline let after: After?

        @inlinable
        init(before: Before?, after: After?) { (self.before, self.after) = (before, after) }
    }

    /// Outermost first.
    @usableFromInline let layers: [Layer]

    /// - Parameters:
    ///   - before: Called with the event before the reducer, on the system's scheduler; says what becomes of it.
    ///   - after: Called when the turn is over, however it ended, with the event that `before` let pass; the
    ///     state is the new one then.
    @inlinable
    public init(
        before: (@Sendable (Event, Context) -> Decision)? = nil,
        after: (@Sendable (Event, Context) -> Void)? = nil
    ) {
        layers = before == nil && after == nil ? [] : [Layer(before: before, after: after)]
    }

    @inlinable
    init(layers: [Layer]) { self.layers = layers }

    /// Middleware that lets everything pass.
    @inlinable public static var identity: Middleware { Middleware(layers: []) }

    /// `left` around `right`.
    @inlinable
    public static func <> (left: Middleware, right: Middleware) -> Middleware {
        Middleware(layers: left.layers + right.layers)
    }

    /// Several, the first outermost.
    @inlinable
    public static func combined(_ all: [Middleware]) -> Middleware {
        Middleware(layers: all.flatMap(\.layers))
    }

    /// Several, the first outermost.
    @inlinable
    public static func combined(_ all: Middleware...) -> Middleware { combined(all) }
}
