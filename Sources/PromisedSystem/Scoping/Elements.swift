/// A path to every element of a collection in a state: an array by identity or by index, an ``IdentifiedArray``, or a
/// dictionary by key.
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
///
/// To send one event to every element, pass `all`, as in `Elements(in: \Table.rows, event: row, all: { if case
/// .everyRow(let add) = $0 { add } else { nil } })`: each present element receives what it returns, in the order of the
/// collection.
public struct Elements<
    State: Sendable, Event: Sendable, ID: Hashable & Sendable, Element: Sendable, ElementEvent: Sendable
>:
    Sendable
{
    /// Identifies every element as a part of the state.
    @usableFromInline let path: PartKey
    /// Returns the element that an event is for and the element's event; nil for an event that concerns no single
    /// element.
    public let extract: @Sendable (Event) -> (id: ID, event: ElementEvent)?
    /// Wraps an element's event in an event of the whole.
    public let embed: @Sendable (ID, ElementEvent) -> Event
    /// Returns the element event that goes to every element; nil for an event that is not meant for all.
    public let extractAll: @Sendable (Event) -> ElementEvent?
    /// Reads an element; nil if it is absent.
    @usableFromInline let get: @Sendable (State, ID) -> Element?
    /// Of these identities, those of no element.
    @usableFromInline let absent: @Sendable (State, [ID]) -> Set<ID>
    /// Calls the closure with each element, in order.
    @usableFromInline let visit: @Sendable (State, (ID, Element) -> Void) -> Void
    /// Mutates an element in place; a no-op if it is absent.
    @usableFromInline let modify: @Sendable (inout State, ID, (inout Element) -> Void) -> Void
    /// Mutates every element in place.
    @usableFromInline let modifyAll: @Sendable (inout State, (inout Element) -> Void) -> Void
    /// Whether the elements have an order that is the same in every process.
    @usableFromInline let isOrdered: Bool
    /// Whether an element can be replaced by one with the same identity here, and another `id`.
    @usableFromInline let replacesElements: Bool
    @usableFromInline let scope: @Sendable (ID) -> Scope<State, Event, Element?, ElementEvent>

    @inlinable
    init<Locator: ElementLocator>(
        _ locator: Locator, in state: any WritableKeyPath<State, Locator.Container> & Sendable,
        isOrdered: Bool = true, findsByID: Bool = false, event: CasePath<Event, (ID, ElementEvent)>,
        all: (@Sendable (Event) -> ElementEvent?)?
    ) where Locator.ID == ID, Locator.Element == Element {
        let collection = Projection(state)
        path = .element(ID?.none, of: state, foundBy: Locator.self)
        self.isOrdered = isOrdered
        replacesElements = !findsByID && Element.self is any Identifiable.Type
        extract = { event.extract($0).map { (id: $0.0, event: $0.1) } }
        embed = { event.embed(($0, $1)) }
        extractAll = all ?? { _ in nil }
        get = { whole, id in collection.read(whole) { locator.get(id, in: $0) } }
        absent = { whole, ids in
            collection.read(whole) { elements in
                var (absent, search): (Set<ID>, _) = ([], ElementSearch<ID>())
                for id in ids {
                    var place: Locator.Place?
                    if locator.find(id, in: elements, &place, &search) == nil { absent.insert(id) }
                }
                return absent
            }
        }
        visit = { whole, body in collection.read(whole) { locator.visit($0, body) } }
        modify = { whole, id, change in collection.change(&whole) { locator.modify(id, in: &$0, change) } }
        modifyAll = { whole, change in collection.change(&whole) { locator.modifyAll(in: &$0, change) } }
        scope = { id in
            let scope = Scope(id, locator, in: state, event: event)
            return all.map { scope.extracting($0) } ?? scope
        }
    }

    /// The elements of an array, by identity. Looking up an element is a linear search from the start.
    ///
    /// - Parameters:
    ///   - state: The key path to the array.
    ///   - event: The case that holds an element's identity and its event.
    ///   - all: Returns the element event that goes to every element; nil for an event that is not meant for all.
    @inlinable
    public init(
        in state: any WritableKeyPath<State, [Element]> & Sendable,
        event: CasePath<Event, (ID, ElementEvent)>,
        all: (@Sendable (Event) -> ElementEvent?)? = nil
    ) where Element: Identifiable, Element.ID == ID {
        self.init(LocatorByID<[Element]>(), in: state, findsByID: true, event: event, all: all)
    }

    /// The elements of an identified array, by identity. An element is found without a search.
    ///
    /// - Parameters:
    ///   - state: The key path to the identified array.
    ///   - event: The case that holds an element's identity and its event.
    ///   - all: Returns the element event that goes to every element; nil for an event that is not meant for all.
    @inlinable
    public init(
        in state: any WritableKeyPath<State, IdentifiedArray<Element>> & Sendable,
        event: CasePath<Event, (ID, ElementEvent)>,
        all: (@Sendable (Event) -> ElementEvent?)? = nil
    ) where Element: Identifiable, Element.ID == ID {
        self.init(
            LocatorByID<IdentifiedArray<Element>>(), in: state, findsByID: true, event: event, all: all)
    }

    /// The elements of an array, by index from 0: for elements without an identity. The work of an element belongs to
    /// its index: if an element before it is removed, the next one gets its index, its work and its pending events.
    /// With `Identifiable` elements, the work of an index ends when an element with another `id` gets there;
    /// `init(in:event:all:)` has the work move with its element.
    ///
    /// - Parameters:
    ///   - state: The key path to the array.
    ///   - event: The case that holds an element's index and its event.
    ///   - all: Returns the element event that goes to every element; nil for an event that is not meant for all.
    @inlinable
    public init(
        indexedIn state: any WritableKeyPath<State, [Element]> & Sendable,
        event: CasePath<Event, (Int, ElementEvent)>, all: (@Sendable (Event) -> ElementEvent?)? = nil
    ) where ID == Int {
        self.init(LocatorByIndex<Element>(), in: state, event: event, all: all)
    }

    /// The values of a dictionary, by key.
    ///
    /// - Parameters:
    ///   - state: The key path to the dictionary.
    ///   - event: The case that holds a value's key and its event.
    ///   - all: Returns the event that goes to every value; nil for an event that is not meant for all.
    @inlinable
    public init(
        keyedIn state: any WritableKeyPath<State, [ID: Element]> & Sendable,
        event: CasePath<Event, (ID, ElementEvent)>, all: (@Sendable (Event) -> ElementEvent?)? = nil
    ) {
        self.init(
            LocatorByKey<ID, Element>(), in: state, isOrdered: false, event: event, all: all)
    }

    /// The scope of one element; its state is nil while the element is absent.
    @inlinable
    public func scope(of id: ID) -> Scope<State, Event, Element?, ElementEvent> { scope(id) }
}

extension Elements {
    /// The distinct identities of all elements in order; without an order, sorted by description, so that the result is
    /// deterministic.
    @usableFromInline
    func identities(in whole: State) -> [ID] {
        var all: [ID] = []
        var seen: Set<ID> = []
        visit(whole) { id, _ in if seen.insert(id).inserted { all.append(id) } }
        return isOrdered ? all : all.inPrintedOrder { "\($0)" }
    }
}
