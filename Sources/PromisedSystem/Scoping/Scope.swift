/// The one way from a whole to a part of it: which part of the state, and which of the events.
///
/// ```swift
/// struct Shop { var cart = Cart() }
/// struct Cart { var pieces = 0 }
/// enum ShopEvent { case cart(CartEvent), close }
/// enum CartEvent { case add }
///
/// let cart = Scope(
///     state: \Shop.cart,
///     event: CasePath(embed: ShopEvent.cart) { if case .cart(let event) = $0 { event } else { nil } })
/// let adding = Reducer<Cart, CartEvent> { cart, _ in cart.pieces += 1 }
/// let shop = System(initialState: Shop(), scheduler: .immediate, reducer: adding.lifted(by: cart))
/// shop.sendEvent(.close)
/// shop.scoped(by: cart).sendEvent(.add)
/// print(shop.state.cart.pieces)
/// ```
///
/// The same value lifts reducers, feedbacks and middleware of the part to the whole, and gives the part of a system.
/// A part that need not be there is an optional one: see ``optional``.
///
/// Two expressions of one part give one source, where the way is a key path, an element, or a scope or case path that
/// is made once, as a `static let`. Two that are made of closures at two places are two parts: they cannot be compared.
public struct Scope<State: Sendable, Event: Sendable, Local: Sendable, LocalEvent: Sendable>: Sendable {
    /// The part of a whole.
    public let get: @Sendable (State) -> Local
    /// Changes the part where it is.
    @usableFromInline package let modify: @Sendable (inout State, (inout Local) -> Void) -> Void
    /// What an event means to the part; nil for an event that is none of its business.
    public let extract: @Sendable (Event) -> LocalEvent?
    /// The event of the whole that says what happened in the part; nil to decline.
    public let embed: @Sendable (LocalEvent) -> Event?
    /// Which part it is.
    @usableFromInline let key: PartKey
    /// A source of the part that tells what has become unequal, if there is a better way than to look at each value.
    @usableFromInline
    let elementSource:
        (@Sendable (Source<State>, @escaping @Sendable (Local, Local) -> Bool) -> Source<Local>)?

    /// - Parameters:
    ///   - get: The part of a whole.
    ///   - modify: Changes the part where it is, by the closure; or leaves the whole alone if it has no such part.
    ///   - extract: What an event means to the part; nil for an event that is none of its business.
    ///   - embed: The event of the whole that says what happened in the part; nil to decline.
    @inlinable
    public init(
        get: @escaping @Sendable (State) -> Local,
        modify: @escaping @Sendable (inout State, (inout Local) -> Void) -> Void,
        extract: @escaping @Sendable (Event) -> LocalEvent?,
        embed: @escaping @Sendable (LocalEvent) -> Event?
    ) {
        self.init(
            get: get, modify: modify, extract: extract, embed: embed, key: .custom(), elementSource: nil)
    }

    @inlinable
    init(
        get: @escaping @Sendable (State) -> Local,
        modify: @escaping @Sendable (inout State, (inout Local) -> Void) -> Void,
        extract: @escaping @Sendable (Event) -> LocalEvent?,
        embed: @escaping @Sendable (LocalEvent) -> Event?, key: PartKey,
        elementSource: (
            @Sendable (Source<State>, @escaping @Sendable (Local, Local) -> Bool) -> Source<Local>
        )? = nil
    ) {
        self.get = get
        self.modify = modify
        self.extract = extract
        self.embed = embed
        self.key = key
        self.elementSource = elementSource
    }

    /// The part of a source's values, whose readers are told when it has become unequal.
    @inlinable
    func source(
        in whole: Source<State>, _ areEqual: @escaping @Sendable (Local, Local) -> Bool
    ) -> Source<Local> {
        elementSource?(whole, areEqual) ?? whole.part(get, at: key, unlessEqual: areEqual)
    }

    /// The same part, to which other events mean something as well.
    @inlinable
    func extracting(_ others: @escaping @Sendable (Event) -> LocalEvent?) -> Scope {
        Scope(
            get: get, modify: modify, extract: { [extract] in extract($0) ?? others($0) }, embed: embed,
            key: key,
            elementSource: elementSource)
    }

    /// A property, and a case of the events.
    ///
    /// - Parameters:
    ///   - state: Where the part is.
    ///   - event: What happens in the part.
    @inlinable
    public init(
        state: any WritableKeyPath<State, Local> & Sendable, event: CasePath<Event, LocalEvent>
    ) {
        let part = Projection(state)
        self.init(
            get: { part.read($0) { copy $0 } }, modify: { whole, change in part.change(&whole, change) },
            extract: event.extract, embed: event.embed, key: .property(state))
    }

    /// What an enum of states holds in one case, and a case of the events. It is there while the state is this case:
    /// a change inside another case leaves that alone. What the case holds is copied when it is changed.
    ///
    /// - Parameters:
    ///   - state: The case.
    ///   - event: What happens in the part.
    @inlinable
    public init<Value>(
        state: CasePath<State, Value>, event: CasePath<Event, LocalEvent>
    ) where Local == Value? {
        self.init(
            get: state.extract,
            modify: { whole, change in
                guard let value = state.extract(whole) else { return }
                var part: Value? = value
                change(&part)
                if let part { whole = state.embed(part) }
            }, extract: event.extract, embed: event.embed, key: state.key)
    }

    /// The whole itself, with all its events.
    @inlinable
    public static func identity() -> Scope where State == Local, Event == LocalEvent {
        Scope(get: { $0 }, modify: { $1(&$0) }, extract: { $0 }, embed: { $0 }, key: .whole)
    }

    /// A part that can only be sent events: what happens inside is not for the events that come back.
    ///
    /// What outsiders may send is the event type of such a scope; all other events are private to the system.
    ///
    /// - Parameter embed: The event of the whole that says what was sent.
    @inlinable
    public static func sending(_ embed: @escaping @Sendable (LocalEvent) -> Event) -> Scope
    where State == Local {
        Scope(get: { $0 }, modify: { $1(&$0) }, extract: { _ in nil }, embed: embed, key: .whole)
    }

    /// A part of this part.
    ///
    /// - Parameter inner: The way from this part to the other.
    @inlinable
    public func appending<Part, PartEvent>(
        _ inner: Scope<Local, LocalEvent, Part, PartEvent>
    ) -> Scope<State, Event, Part, PartEvent> {
        typealias Whole = Scope<State, Event, Part, PartEvent>
        var elementSource:
            (@Sendable (Source<State>, @escaping @Sendable (Part, Part) -> Bool) -> Source<Part>)?
        if let source = inner.elementSource {
            elementSource = { [get, key] whole, areEqual in source(whole.part(get, at: key), areEqual) }
        }
        return Whole(
            get: { [get] in inner.get(get($0)) },
            modify: { [modify] whole, change in modify(&whole) { inner.modify(&$0, change) } },
            extract: { [extract] in extract($0).flatMap(inner.extract) },
            embed: { [embed] in inner.embed($0).flatMap(embed) }, key: key.appending(inner.key),
            elementSource: elementSource)
    }

    /// A part of this part, which need not be there.
    ///
    /// - Parameter inner: The way from this part, when it is there, to the other.
    @inlinable
    public func appending<Value, Part, PartEvent>(
        _ inner: Scope<Value, LocalEvent, Part, PartEvent>
    ) -> Scope<State, Event, Part?, PartEvent> where Local == Value? {
        appending(inner.optional)
    }

    /// A part of this part, neither of which need be there.
    ///
    /// - Parameter inner: The way from this part, when it is there, to the other.
    @inlinable
    public func appending<Value, Part, PartEvent>(
        _ inner: Scope<Value, LocalEvent, Part?, PartEvent>
    ) -> Scope<State, Event, Part?, PartEvent> where Local == Value? {
        appending(
            Scope<Local, LocalEvent, Part?, PartEvent>(
                get: { $0.flatMap(inner.get) },
                modify: { value, change in if value != nil { inner.modify(&value!, change) } },
                extract: inner.extract, embed: inner.embed, key: inner.key))
    }

    /// The same for a whole that need not be there: then neither is the part, and nothing changes it.
    @inlinable public var optional: Scope<State?, Event, Local?, LocalEvent> {
        Scope<State?, Event, Local?, LocalEvent>(
            get: { [get] in $0.map(get) },
            modify: { [modify] whole, change in
                guard whole != nil else { return }
                modify(&whole!) { part in
                    var changed: Local? = part
                    change(&changed)
                    if let changed { part = changed }
                }
            }, extract: extract, embed: embed, key: key)
    }
}
