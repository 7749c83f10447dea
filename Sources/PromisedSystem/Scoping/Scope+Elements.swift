// Scopes to one element of a collection, which may be absent.
extension Scope {
    /// A scope to the element of an array with this identity; its state is nil while there is none.
    ///
    /// Setting it to nil removes the element. Identities must be unique in the array: if several elements have the same
    /// one, the first is found, but a subscriber may keep following another that it has found before.
    ///
    /// - Parameters:
    ///   - id: The identity of the element.
    ///   - state: The key path to the array.
    ///   - event: The case that holds an element's identity and its event.
    @inlinable
    public init<Element: Identifiable & Sendable>(
        id: Element.ID, in state: any WritableKeyPath<State, [Element]> & Sendable,
        event: CasePath<Event, (Element.ID, LocalEvent)>
    ) where Local == Element?, Element.ID: Sendable {
        self.init(id, LocatorByID<[Element]>(), in: state, event: event)
    }

    /// A scope to the element of an identified array with this identity; its state is nil while there is none.
    ///
    /// Setting it to nil removes the element. It is found without a search.
    ///
    /// - Parameters:
    ///   - id: The identity of the element.
    ///   - state: The key path to the identified array.
    ///   - event: The case that holds an element's identity and its event.
    @inlinable
    public init<Element: Identifiable & Sendable>(
        id: Element.ID, in state: any WritableKeyPath<State, IdentifiedArray<Element>> & Sendable,
        event: CasePath<Event, (Element.ID, LocalEvent)>
    ) where Local == Element?, Element.ID: Sendable {
        self.init(id, LocatorByID<IdentifiedArray<Element>>(), in: state, event: event)
    }

    /// A scope to the element of an array at this index; its state is nil while the index is out of bounds.
    ///
    /// Setting it to nil removes the element.
    ///
    /// - Parameters:
    ///   - index: The index of the element.
    ///   - state: The key path to the array.
    ///   - event: The case that holds an element's index and its event.
    @inlinable
    public init<Element: Sendable>(
        index: Int, in state: any WritableKeyPath<State, [Element]> & Sendable,
        event: CasePath<Event, (Int, LocalEvent)>
    ) where Local == Element? {
        self.init(index, LocatorByIndex<Element>(), in: state, event: event)
    }

    /// A scope to the value of a dictionary under this key; its state is nil while there is none.
    ///
    /// Setting it to nil removes the value. A missing value cannot be inserted through this scope: changes are ignored
    /// while there is none.
    ///
    /// - Parameters:
    ///   - key: The key of the value.
    ///   - state: The key path to the dictionary.
    ///   - event: The case that holds a value's key and its event.
    @inlinable
    public init<Key: Hashable & Sendable, Value: Sendable>(
        key: Key, in state: any WritableKeyPath<State, [Key: Value]> & Sendable,
        event: CasePath<Event, (Key, LocalEvent)>
    ) where Local == Value? {
        self.init(key, LocatorByKey<Key, Value>(), in: state, event: event)
    }

    @inlinable
    init<Locator: ElementLocator>(
        _ id: Locator.ID, _ locator: Locator,
        in state: any WritableKeyPath<State, Locator.Container> & Sendable,
        event: CasePath<Event, (Locator.ID, LocalEvent)>
    ) where Local == Locator.Element? {
        let collection = Projection(state)
        let part = PartKey.element(id, of: state, foundBy: Locator.self)
        let get: @Sendable (State) -> Local = { whole in
            collection.read(whole) { locator.get(id, in: $0) }
        }
        self.init(
            get: get,
            modify: { whole, change in collection.change(&whole) { locator.change(id, in: &$0, change) } },
            extract: { event.extract($0).flatMap { $0.0 == id ? $0.1 : nil } },
            embed: { event.embed((id, $0)) }, key: part,
            elementSource: { whole, areEqual in
                whole.element(id, at: part, locator, in: collection, get: get, areEqual)
            })
    }
}
