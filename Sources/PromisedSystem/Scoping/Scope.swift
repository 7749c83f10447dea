/// A two-way path from a whole to a part of it: to a part of the state, and to some of the events.
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
/// The same scope lifts reducers, feedbacks and middleware of the part to the whole, and scopes a system to the part. A
/// part that may be absent is an optional; see ``optional`` and ``flatOptional()``.
///
/// Two scopes of the same part give the same source, and share its subscriptions, if the path is a key path, an
/// element, or a scope or case path that is stored once, such as in a `static let`. Scopes that are made of closures at
/// two places are different parts, because closures cannot be compared.
public struct Scope<State: Sendable, Event: Sendable, Local: Sendable, LocalEvent: Sendable>: Sendable {
    /// Reads the part of a whole.
    public let get: @Sendable (State) -> Local
    /// Mutates the part of a whole in place.
    @usableFromInline package let modify: @Sendable (inout State, (inout Local) -> Void) -> Void
    /// Returns the part's event for an event of the whole; nil for an event that does not concern the part.
    public let extract: @Sendable (Event) -> LocalEvent?
    /// Wraps an event of the part in an event of the whole; nil if the whole declines it, so that it is dropped.
    public let embed: @Sendable (LocalEvent) -> Event?
    /// Identifies the part, so that equal scopes share a source.
    @usableFromInline let key: PartKey
    /// Reads the identity of the parts between the whole and this part, which is nil if one of them is absent; nil if
    /// none has an id.
    @usableFromInline let outer: (@Sendable (State) -> PartIdentity?)?
    /// Creates a source that notifies of changes of the part, if that can be done more efficiently than by comparing
    /// the part of each value; nil otherwise.
    @usableFromInline
    let elementSource:
        (@Sendable (Source<State>, @escaping @Sendable (Local, Local) -> Bool) -> Source<Local>)?

    /// - Parameters:
    ///   - get: Reads the part of a whole.
    ///   - modify: Mutates the part in place with the closure. It must not call the closure if the whole has no such
    ///     part.
    ///   - extract: Returns the part's event for an event of the whole; nil for an event that does not concern the
    ///     part.
    ///   - embed: Wraps an event of the part in an event of the whole; nil to decline it, so that it is dropped.
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
        outer: (@Sendable (State) -> PartIdentity?)? = nil,
        elementSource: (
            @Sendable (Source<State>, @escaping @Sendable (Local, Local) -> Bool) -> Source<Local>
        )? = nil
    ) {
        self.get = get
        self.modify = modify
        self.extract = extract
        self.embed = embed
        self.key = key
        self.outer = outer
        self.elementSource = elementSource
    }

    /// A source of the part, whose subscribers are notified only when the part has changed. An element of an array with
    /// the same bits is not compared at all, and another one only once.
    @inlinable
    func source(in whole: Source<State>) -> Source<Local> where Local: Equatable {
        elementSource?(whole) { $0 == $1 } ?? whole.part(get, at: key, unlessEqual: areSame)
    }

    /// The same scope, which also extracts other events.
    @inlinable
    func extracting(_ others: @escaping @Sendable (Event) -> LocalEvent?) -> Scope {
        Scope(
            get: get, modify: modify, extract: { [extract] in extract($0) ?? others($0) }, embed: embed,
            key: key, outer: outer, elementSource: elementSource)
    }

    /// A scope to a property of the state and a case of the events.
    ///
    /// - Parameters:
    ///   - state: The key path to the part.
    ///   - event: The case that holds the part's events.
    @inlinable
    public init(
        state: any WritableKeyPath<State, Local> & Sendable, event: CasePath<Event, LocalEvent>
    ) {
        let part = Projection(state)
        self.init(
            get: { part.read($0) { copy $0 } }, modify: { whole, change in part.change(&whole, change) },
            extract: event.extract, embed: event.embed, key: .property(state))
    }

    /// A scope to the associated value of a case of the state and a case of the events. The part is nil while the state
    /// is another case; changes are ignored then. The value is copied when it is changed.
    ///
    /// - Parameters:
    ///   - state: The case that holds the part.
    ///   - event: The case that holds the part's events.
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

    /// The scope from a whole to itself, with all its events.
    @inlinable
    public static func identity() -> Scope where State == Local, Event == LocalEvent {
        Scope(get: { $0 }, modify: { $1(&$0) }, extract: { $0 }, embed: { $0 }, key: .whole)
    }

    /// A scope with a separate type of input events: they can be sent through it, but no event is extracted from the
    /// whole.
    ///
    /// Use it to restrict what other code can send to a system: only `LocalEvent` is accepted, and all other events
    /// stay private to the system.
    ///
    /// - Parameter embed: Wraps an input event in an event of the whole.
    @inlinable
    public static func sending(_ embed: @escaping @Sendable (LocalEvent) -> Event) -> Scope
    where State == Local {
        Scope(get: { $0 }, modify: { $1(&$0) }, extract: { _ in nil }, embed: embed, key: .whole)
    }

    /// A scope to a part of this part.
    ///
    /// - Parameter inner: The scope from this part to the inner one.
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
            outer: outerIdentity(of: inner), elementSource: elementSource)
    }

    /// A scope to a part of this optional part.
    ///
    /// - Parameter inner: The scope from this part, unwrapped, to the inner one.
    @inlinable
    public func appending<Value, Part, PartEvent>(
        _ inner: Scope<Value, LocalEvent, Part, PartEvent>
    ) -> Scope<State, Event, Part?, PartEvent> where Local == Value? {
        appending(inner.optional)
    }

    /// A scope to an optional part of this optional part; the result is nil if either is.
    ///
    /// - Parameter inner: The scope from this part, unwrapped, to the inner one.
    @inlinable
    public func appending<Value, Part, PartEvent>(
        _ inner: Scope<Value, LocalEvent, Part?, PartEvent>
    ) -> Scope<State, Event, Part?, PartEvent> where Local == Value? {
        appending(inner.flatOptional())
    }

    /// This scope for an optional whole. While the whole is nil, so is the part, and changes are ignored.
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
            }, extract: extract, embed: embed, key: key,
            outer: outerOfOptional)
    }

    /// This scope, whose part is optional, for an optional whole. The part is nil while either is.
    @inlinable
    public func flatOptional<Part>() -> Scope<State?, Event, Part?, LocalEvent> where Local == Part? {
        Scope<State?, Event, Part?, LocalEvent>(
            get: { [get] in $0.flatMap(get) },
            modify: { [modify] whole, change in if whole != nil { modify(&whole!, change) } },
            extract: extract, embed: embed, key: key, outer: outerOfOptional)
    }
}
