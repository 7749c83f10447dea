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
        let array = Projection(state)
        let part = PartKey.element(id, of: state, foundBy: LocatorByID<Element>.self)
        let get: @Sendable (State) -> Element? = { whole in
            array.read(whole) { array in array.first { $0.id == id } }
        }
        self.init(
            get: get,
            modify: { whole, change in
                array.change(&whole) { array in
                    guard let place = array.firstIndex(where: { $0.id == id }) else { return }
                    array.changeElement(at: place, change)
                }
            }, extract: { event.extract($0).flatMap { $0.0 == id ? $0.1 : nil } },
            embed: { event.embed((id, $0)) }, key: part,
            elementSource: { whole, areEqual in
                whole.element(id, at: part, LocatorByID<Element>(), in: array, get: get, areEqual)
            })
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
        let array = Projection(state)
        let part = PartKey.element(index, of: state, foundBy: LocatorByIndex<Element>.self)
        let get: @Sendable (State) -> Element? = { whole in
            array.read(whole) { array in array.indices.contains(index) ? array[index] : nil }
        }
        self.init(
            get: get,
            modify: { whole, change in
                array.change(&whole) { array in
                    if array.indices.contains(index) { array.changeElement(at: index, change) }
                }
            }, extract: { event.extract($0).flatMap { $0.0 == index ? $0.1 : nil } },
            embed: { event.embed((index, $0)) }, key: part,
            elementSource: { whole, areEqual in
                whole.element(index, at: part, LocatorByIndex<Element>(), in: array, get: get, areEqual)
            })
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
        let dictionary = Projection(state)
        let part = PartKey.element(key, of: state, foundBy: LocatorByKey<Key, Value>.self)
        let get: @Sendable (State) -> Value? = { whole in
            dictionary.read(whole) { dictionary in dictionary[key] }
        }
        self.init(
            get: get,
            modify: { whole, change in
                dictionary.change(&whole) { dictionary in
                    if dictionary[key] != nil { change(&dictionary[key]) }
                }
            }, extract: { event.extract($0).flatMap { $0.0 == key ? $0.1 : nil } },
            embed: { event.embed((key, $0)) }, key: part,
            elementSource: { whole, areEqual in
                whole.element(key, at: part, LocatorByKey<Key, Value>(), in: dictionary, get: get, areEqual)
            })
    }
}

extension Array {
    /// Mutates an element, and removes it if it becomes nil.
    @inlinable
    mutating func changeElement(at place: Int, _ change: (inout Element?) -> Void) {
        var element: Element? = self[place]
        change(&element)
        if let element { self[place] = element } else { remove(at: place) }
    }
}
