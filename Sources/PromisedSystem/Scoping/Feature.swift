/// All there is to a part of a program: what is next, what work follows, and what may pass, in one value.
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
///         .lensingSkippingRepeated(state: \.text) { text in
///             Effect<SearchEvent>.just(.found(["green " + text, "black " + text]))
///         }
///     ])
/// let system = System(initialState: Search(), scheduler: .immediate, feature: search)
/// system.sendEvent(.text("tea"))
/// print(system.state.hits)
/// ```
///
/// Features are a monoid: `left <> right` is both, and ``identity`` on either side changes nothing. What they need from
/// outside comes through the function or the initialiser that makes them.
public struct Feature<State: Sendable, Event: Sendable>: FeatureProtocol {
    /// What the next state is, and when.
    public let reducer: Reducer<State, Event>
    /// What work follows, asked in this order.
    public let feedbacks: [Feedback<State, Event>]
    /// What may pass.
    public let middleware: Middleware<State, Event>

    /// - Parameters:
    ///   - reducer: What the next state is, and when.
    ///   - feedbacks: What work follows, asked in this order.
    ///   - middleware: What may pass.
    @inlinable
    public init(
        reducer: Reducer<State, Event> = .identity, feedbacks: [Feedback<State, Event>] = [],
        middleware: Middleware<State, Event> = .identity
    ) {
        (self.reducer, self.feedbacks, self.middleware) = (reducer, feedbacks, middleware)
    }

    /// The feature of a type of your own.
    @inlinable
    public init(_ feature: some FeatureProtocol<State, Event>) {
        self.init(reducer: feature.reducer, feedbacks: feature.feedbacks, middleware: feature.middleware)
    }

    /// The feature that does nothing.
    @inlinable public static var identity: Feature { Feature() }

    /// Both: the reducer of `right` gets what that of `left` has made, feedbacks of `left` are asked first, and its
    /// middleware is around that of `right`.
    @inlinable
    public static func <> (left: Feature, right: Feature) -> Feature {
        Feature(
            reducer: left.reducer <> right.reducer, feedbacks: left.feedbacks + right.feedbacks,
            middleware: left.middleware <> right.middleware)
    }

    /// All of them, in this order.
    @inlinable
    public static func combined(_ all: [Feature]) -> Feature { all.reduce(.identity, <>) }

    /// All of them, in this order.
    @inlinable
    public static func combined(_ all: Feature...) -> Feature { combined(all) }

    /// Sends an event of one part for an event of another: see ``Middleware/route(_:when:to:file:line:)``.
    ///
    /// - Parameters:
    ///   - output: What the event says to the other part; nil for an event that is not meant.
    ///   - condition: Whether it is sent, by the state before the event.
    ///   - input: The event to send.
    public static func route<Output: Sendable>(
        _ output: @escaping @Sendable (Event) -> Output?,
        when condition: @escaping @Sendable (State) -> Bool = { _ in true },
        to input: @escaping @Sendable (Output) -> Event, file: StaticString = #fileID, line: UInt = #line
    ) -> Feature {
        Feature(middleware: .route(output, when: condition, to: input, file: file, line: line))
    }
}

/// A type that is a ``Feature``: one with its state, events, reducer and work in one place, and what it needs from
/// outside as its properties.
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
///         [.merging(events: { if case .tapped = $0 { step } else { nil } }) { Effect<Event>.just(.stepped($0)) }]
///     }
/// }
/// let counter = System(initialState: .init(), scheduler: .immediate, feature: Counting(step: 5))
/// counter.sendEvent(.tapped)
/// print(counter.state.count)
/// ```
///
/// One that contains others is better put together by a function, so that nothing of them is left out:
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
    /// What it knows.
    associatedtype State: Sendable
    /// What may happen.
    associatedtype Event: Sendable

    /// What the next state is, and when.
    var reducer: Reducer<State, Event> { get }
    /// What work follows, asked in this order; none unless said.
    var feedbacks: [Feedback<State, Event>] { get }
    /// What may pass; everything unless said.
    var middleware: Middleware<State, Event> { get }
}

extension FeatureProtocol {
    /// No work follows.
    public var feedbacks: [Feedback<State, Event>] { [] }

    /// Everything may pass.
    public var middleware: Middleware<State, Event> { .identity }
}

extension FeatureProtocol {
    /// Both, as of two values of ``Feature``.
    @inlinable
    public static func <> (left: Self, right: some FeatureProtocol<State, Event>) -> Feature<State, Event> {
        Feature(left) <> Feature(right)
    }
}
