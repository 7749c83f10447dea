/// The way from a whole to each element of a collection in it: an array by identity or by place, or a dictionary by
/// key.
///
/// ```swift
/// struct Row: Identifiable { let id: Int; var count = 0 }
/// struct Table { var rows = [Row(id: 1), Row(id: 2)] }
/// enum Event { case row(Int, Int) }
///
/// let rows = Elements(
///     in: \Table.rows,
///     event: CasePath(embed: Event.row) { if case .row(let id, let add) = $0 { (id, add) } else { nil } })
/// let counting = Reducer<Row, Int> { row, add in row.count += add }
/// let table = System(initialState: Table(), scheduler: .immediate, reducer: counting.lifted(byEach: rows))
/// table.sendEvent(.row(2, 5))
/// print(table.state.rows.map(\.count), table.scoped(by: rows.scope(of: 2)).state?.count ?? 0)
/// ```
public struct Elements<
    State: Sendable, Event: Sendable, ID: Hashable & Sendable, Element: Sendable, ElementEvent: Sendable
>:
    Sendable
{
    /// Where the collection is.
    @usableFromInline let path: PartKey
    /// What an event means to an element, and to which; nil for an event that is no element's business.
    public let extract: @Sendable (Event) -> (id: ID, event: ElementEvent)?
    /// The event of the whole that says what happened in an element.
    public let embed: @Sendable (ID, ElementEvent) -> Event
    /// An element; nil where there is none.
    @usableFromInline let get: @Sendable (State, ID) -> Element?
    /// Shows all elements, in their order.
    @usableFromInline let visit: @Sendable (State, (ID, Element) -> Void) -> Void
    /// Changes an element where it is; nothing where there is none.
    @usableFromInline let modify: @Sendable (inout State, ID, (inout Element) -> Void) -> Void
    /// Whether they have an order that is the same in every run.
    @usableFromInline let isOrdered: Bool
    @usableFromInline let scope: @Sendable (ID) -> Scope<State, Event, Element?, ElementEvent>

    @inlinable
    init(
        path: PartKey, isOrdered: Bool = true, event: CasePath<Event, (ID, ElementEvent)>,
        get: @escaping @Sendable (State, ID) -> Element?,
        visit: @escaping @Sendable (State, (ID, Element) -> Void) -> Void,
        modify: @escaping @Sendable (inout State, ID, (inout Element) -> Void) -> Void,
        scope: @escaping @Sendable (ID) -> Scope<State, Event, Element?, ElementEvent>
    ) {
        extract = { event.extract($0).map { (id: $0.0, event: $0.1) } }
        embed = { event.embed(($0, $1)) }
        self.get = get
        self.visit = visit
        self.modify = modify
        self.path = path
        self.isOrdered = isOrdered
        self.scope = scope
    }

    /// The elements of an array, by their identities. An element is looked for from the front.
    ///
    /// - Parameters:
    ///   - state: Where the array is.
    ///   - event: What happens in an element, together with its identity.
    @inlinable
    public init(
        in state: any WritableKeyPath<State, [Element]> & Sendable, event: CasePath<Event, (ID, ElementEvent)>
    ) where Element: Identifiable, Element.ID == ID {
        let array = Projection(state)
        self.init(path: .property(state), event: event) { whole, id in
            array.read(whole) { array in array.first { $0.id == id } }
        } visit: { whole, body in
            array.read(whole) { array in for element in array { body(element.id, element) } }
        } modify: { whole, id, change in
            array.change(&whole) { array in
                if let place = array.firstIndex(where: { $0.id == id }) { change(&array[place]) }
            }
        } scope: {
            Scope(id: $0, in: state, event: event)
        }
    }

    /// The elements of an array, by their places, from 0.
    ///
    /// - Parameters:
    ///   - state: Where the array is.
    ///   - event: What happens in an element, together with its place.
    @inlinable
    public init(
        indexedIn state: any WritableKeyPath<State, [Element]> & Sendable,
        event: CasePath<Event, (Int, ElementEvent)>
    ) where ID == Int {
        let array = Projection(state)
        self.init(path: .property(state), event: event) { whole, place in
            array.read(whole) { array in array.indices.contains(place) ? array[place] : nil }
        } visit: { whole, body in
            array.read(whole) { array in for (place, element) in array.enumerated() { body(place, element) } }
        } modify: { whole, place, change in
            array.change(&whole) { array in if array.indices.contains(place) { change(&array[place]) } }
        } scope: {
            Scope(index: $0, in: state, event: event)
        }
    }

    /// The values of a dictionary, by their keys.
    ///
    /// - Parameters:
    ///   - state: Where the dictionary is.
    ///   - event: What happens in a value, together with its key.
    @inlinable
    public init(
        keyedIn state: any WritableKeyPath<State, [ID: Element]> & Sendable,
        event: CasePath<Event, (ID, ElementEvent)>
    ) {
        let dictionary = Projection(state)
        self.init(path: .property(state), isOrdered: false, event: event) { whole, key in
            dictionary.read(whole) { dictionary in dictionary[key] }
        } visit: { whole, body in
            dictionary.read(whole) { dictionary in for (key, value) in dictionary { body(key, value) } }
        } modify: { whole, key, change in
            dictionary.change(&whole) { dictionary in
                if let place = dictionary.index(forKey: key) { change(&dictionary.values[place]) }
            }
        } scope: {
            Scope(key: $0, in: state, event: event)
        }
    }

    /// The way to one element, which need not be there.
    @inlinable
    public func scope(of id: ID) -> Scope<State, Event, Element?, ElementEvent> { scope(id) }
}

extension Elements {
    /// By which the work of an element is known: where its collection is, and its own identity.
    func key(_ id: ID) -> EffectKey { EffectKey(ElementKey(collection: path, id: EffectKey(id))) }
}

private struct ElementKey: Hashable, Sendable, CustomStringConvertible {
    let collection: PartKey
    let id: EffectKey

    var description: String { id.description }
}
