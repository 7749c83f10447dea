import Promise
public import PromisedSystem

/// The laws of a way from a whole to a part: of a ``PromisedSystem/Scope``, or of a type of your own that is like one.
///
/// ```swift
/// import PromisedSystem
/// import PromisedTesting
///
/// struct Shop: Equatable { var pieces = 0, isOpen = true }
/// enum Event: Equatable { case cart(Int), close }
///
/// let cart = Scope(
///     state: \Shop.pieces,
///     event: CasePath(embed: Event.cart) { if case .cart(let number) = $0 { number } else { nil } })
/// let laws = ScopeLaws(
///     cart, wholes: { Shop(pieces: .random(in: 0...9, using: &$0)) }, parts: { .random(in: 0...9, using: &$0) },
///     events: { .random(using: &$0) ? .close : .cart(.random(in: 0...9, using: &$0)) },
///     partEvents: { .random(in: 0...9, using: &$0) })
/// checkLaws(laws.all)
/// ```
///
/// Make wholes that have the part: where there is none, what is set cannot be read.
public struct ScopeLaws<
    Whole: Equatable & Sendable, WholeEvent: Equatable & Sendable, Part: Equatable & Sendable,
    PartEvent: Equatable & Sendable
>: Sendable {
    /// A step of the part.
    public typealias Step = @Sendable (Part, PartEvent) -> Part

    let wholes: @Sendable (inout LawRandom) -> Whole
    let parts: @Sendable (inout LawRandom) -> Part
    let events: @Sendable (inout LawRandom) -> WholeEvent
    let partEvents: @Sendable (inout LawRandom) -> PartEvent
    let get: @Sendable (Whole) -> Part
    let set: @Sendable (inout Whole, Part) -> Void
    let extract: @Sendable (WholeEvent) -> PartEvent?
    let embed: @Sendable (PartEvent) -> WholeEvent?
    let lifted: @Sendable (Whole, WholeEvent, @escaping Step) -> Whole

    /// - Parameters:
    ///   - wholes: Random wholes that have the part.
    ///   - parts: Random parts.
    ///   - events: Random events of the whole; some of them none of the part's business.
    ///   - partEvents: Random events of the part.
    ///   - get: The part of a whole.
    ///   - set: Puts another part there.
    ///   - extract: What an event means to the part; nil for one that is none of its business.
    ///   - embed: The event of the whole that says what happened in the part; nil to decline.
    ///   - lifted: What a step of the part makes of a whole, once it is lifted.
    public init(
        wholes: @escaping @Sendable (inout LawRandom) -> Whole,
        parts: @escaping @Sendable (inout LawRandom) -> Part,
        events: @escaping @Sendable (inout LawRandom) -> WholeEvent,
        partEvents: @escaping @Sendable (inout LawRandom) -> PartEvent,
        get: @escaping @Sendable (Whole) -> Part,
        set: @escaping @Sendable (inout Whole, Part) -> Void,
        extract: @escaping @Sendable (WholeEvent) -> PartEvent?,
        embed: @escaping @Sendable (PartEvent) -> WholeEvent?,
        lifted: @escaping @Sendable (Whole, WholeEvent, @escaping Step) -> Whole
    ) {
        (self.wholes, self.parts, self.events, self.partEvents) = (wholes, parts, events, partEvents)
        (self.get, self.set, self.extract, self.embed) = (get, set, extract, embed)
        self.lifted = lifted
    }

    /// Those of a scope, and of the reducers that it lifts.
    ///
    /// - Parameters:
    ///   - scope: The way to the part.
    ///   - wholes: Random wholes that have the part.
    ///   - parts: Random parts.
    ///   - events: Random events of the whole; some of them none of the part's business.
    ///   - partEvents: Random events of the part.
    public init(
        _ scope: Scope<Whole, WholeEvent, Part, PartEvent>,
        wholes: @escaping @Sendable (inout LawRandom) -> Whole,
        parts: @escaping @Sendable (inout LawRandom) -> Part,
        events: @escaping @Sendable (inout LawRandom) -> WholeEvent,
        partEvents: @escaping @Sendable (inout LawRandom) -> PartEvent
    ) {
        self.init(
            wholes: wholes, parts: parts, events: events, partEvents: partEvents, get: scope.get,
            set: { whole, part in scope.modify(&whole) { $0 = part } }, extract: scope.extract,
            embed: scope.embed
        ) { whole, event, step in
            let reducer = Reducer<Part, PartEvent> { part, event in part = step(part, event) }.lifted(
                by: scope)
            return (try? reducer(whole, event).result?.get()) ?? whole
        }
    }
}
