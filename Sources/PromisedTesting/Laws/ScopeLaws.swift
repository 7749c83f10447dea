import Promise
public import PromisedSystem

/// The laws of access to a part of a whole: of a `Scope`, or of your own scope-like type.
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
/// Return wholes that contain the part: if it is absent, the part that was set cannot be read back.
public struct ScopeLaws<
    Whole: Equatable & Sendable, WholeEvent: Equatable & Sendable, Part: Equatable & Sendable,
    PartEvent: Equatable & Sendable
>: Sendable {
    /// A pure reducer of the part: returns the part after an event.
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
    ///   - wholes: Returns a random whole that contains the part.
    ///   - parts: Returns a random part.
    ///   - events: Returns a random event of the whole; some should not belong to the part.
    ///   - partEvents: Returns a random event of the part.
    ///   - get: Returns the part of a whole.
    ///   - set: Replaces the part of a whole.
    ///   - extract: Returns the part's event from an event of the whole; nil if it does not belong to the part.
    ///   - embed: Returns the whole's event for an event of the part; nil if there is none.
    ///   - lifted: Lifts a step of the part and applies it to a whole.
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

    /// The laws of a scope, and of the reducers that it lifts.
    ///
    /// - Parameters:
    ///   - scope: The scope to test.
    ///   - wholes: Returns a random whole that contains the part.
    ///   - parts: Returns a random part.
    ///   - events: Returns a random event of the whole; some should not belong to the part.
    ///   - partEvents: Returns a random event of the part.
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
