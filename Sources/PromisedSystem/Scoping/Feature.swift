/// A feature of an app as one value: its reducer, its feedbacks and its middleware.
///
/// ```swift
/// struct Search { var text = "", hits = [String]() }
/// enum SearchEvent { case text(String), found([String]) }
///
/// let search = Feature(
///     reducer: Reducer<Search, SearchEvent> { search, event in
///         switch event {
///         case .text(let text): search.text = text
///         case .found(let hits): search.hits = hits
///         }
///     },
///     feedbacks: [
///         .latest(state: \.text) { text in
///             Effect<SearchEvent>.just(.found(["green " + text, "black " + text]))
///         }
///     ])
/// let system = System(initialState: Search(), scheduler: .immediate, feature: search)
/// system.sendEvent(.text("tea"))
/// print(system.state.hits)
/// ```
///
/// Features form a monoid: `left <> right` combines both, and ``identity`` is the neutral element. Pass dependencies to
/// the function or the initializer that creates the feature.
public struct Feature<State: Sendable, Event: Sendable>: FeatureProtocol {
    /// Computes the next state for each event.
    public let reducer: Reducer<State, Event>
    /// The work that follows from states and events, called in this order.
    public let feedbacks: [Feedback<State, Event>]
    /// May stop or replace an event before the reducer receives it, and observes it afterwards.
    public let middleware: Middleware<State, Event>

    /// - Parameters:
    ///   - reducer: Computes the next state for each event.
    ///   - feedbacks: The work that follows from states and events, called in this order.
    ///   - middleware: May stop or replace an event before the reducer receives it, and observes it afterwards.
    public init(
        reducer: Reducer<State, Event> = .identity, feedbacks: [Feedback<State, Event>] = [],
        middleware: Middleware<State, Event> = .identity
    ) {
        (self.reducer, self.feedbacks, self.middleware) = (reducer, feedbacks, middleware)
    }

    /// Creates a feature from a type that conforms to ``FeatureProtocol``.
    public init(_ feature: some FeatureProtocol<State, Event>) {
        self.init(reducer: feature.reducer, feedbacks: feature.feedbacks, middleware: feature.middleware)
    }

    /// A feature that does nothing: the neutral element of `<>`.
    public static var identity: Feature { Feature() }

    /// Combines two features: the reducer of `right` receives the result of the reducer of `left`, the feedbacks of
    /// `left` are called first, and the middleware of `left` wraps that of `right`.
    public static func <> (left: Feature, right: Feature) -> Feature {
        Feature(
            reducer: left.reducer <> right.reducer, feedbacks: left.feedbacks + right.feedbacks,
            middleware: left.middleware <> right.middleware)
    }

    /// Combines several features with `<>`, in this order.
    public static func combined(_ all: [Feature]) -> Feature { all.reduce(.identity, <>) }

    /// Combines several features with `<>`, in this order.
    public static func combined(_ all: Feature...) -> Feature { combined(all) }

    /// Sends an event to one part in response to an event of another: see ``Middleware/route(_:when:to:file:line:)``.
    ///
    /// - Parameters:
    ///   - output: Extracts the payload of the first part's event; nil for events that are not routed.
    ///   - condition: Whether to send the event, given the state before the first part's event.
    ///   - input: Returns the event to send for a payload.
    public static func route<Output: Sendable>(
        _ output: @escaping @Sendable (Event) -> Output?,
        when condition: @escaping @Sendable (State) -> Bool = { _ in true },
        to input: @escaping @Sendable (Output) -> Event, file: StaticString = #fileID, line: UInt = #line
    ) -> Feature {
        Feature(middleware: .route(output, when: condition, to: input, file: file, line: line))
    }
}

/// A ``Feature`` written as a type of its own, with its state, events, reducer and work in one place, and its
/// dependencies as stored properties.
///
/// ```swift
/// struct Counting: FeatureProtocol {
///     struct State { var count = 0 }
///     enum Event { case tapped, stepped(Int) }
///
///     let step: Int
///
///     var reducer: Reducer<State, Event> {
///         Reducer { state, event in if case .stepped(let step) = event { state.count += step } }
///     }
///     var feedbacks: [Feedback<State, Event>] {
///         [.onEvent({ if case .tapped = $0 { step } else { nil } }) { Effect<Event>.just(.stepped($0)) }]
///     }
/// }
/// let counter = System(initialState: .init(), scheduler: .immediate, feature: Counting(step: 5))
/// counter.sendEvent(.tapped)
/// print(counter.state.count)
/// ```
///
/// Compose features that contain others in a function, so that no reducer, feedback or middleware of a child is
/// forgotten:
///
/// ```swift
/// struct Page { var left = 0, right = 0 }
/// enum PageEvent { case left(Int), right(Int) }
///
/// func page(_ side: Feature<Int, Int>) -> Feature<Page, PageEvent> {
///     let left = CasePath(embed: PageEvent.left) { if case .left(let event) = $0 { event } else { nil } }
///     let right = CasePath(embed: PageEvent.right) { if case .right(let event) = $0 { event } else { nil } }
///     return side.lifted(by: Scope(state: \.left, event: left))
///         <> side.lifted(by: Scope(state: \.right, event: right))
/// }
/// let both = page(Feature(reducer: Reducer { $0 += $1 }))
/// let system = System(initialState: Page(), scheduler: .immediate, feature: both)
/// system.sendEvent(.right(3))
/// print(system.state)
/// ```
public protocol FeatureProtocol<State, Event>: Sendable {
    /// The state of the feature.
    associatedtype State: Sendable
    /// The events of the feature.
    associatedtype Event: Sendable

    /// Computes the next state for each event.
    var reducer: Reducer<State, Event> { get }
    /// The work that follows from states and events, called in this order; empty by default.
    var feedbacks: [Feedback<State, Event>] { get }
    /// May stop or replace an event before the reducer receives it, and observes it afterwards; passes every event by
    /// default.
    var middleware: Middleware<State, Event> { get }
}

extension FeatureProtocol {
    /// The default: no feedbacks.
    public var feedbacks: [Feedback<State, Event>] { [] }

    /// The default: every event passes.
    public var middleware: Middleware<State, Event> { .identity }
}

extension FeatureProtocol {
    /// Combines two features into one, as `<>` does for two values of ``Feature``.
    public static func <> (left: Self, right: some FeatureProtocol<State, Event>) -> Feature<State, Event> {
        Feature(left) <> Feature(right)
    }
}
