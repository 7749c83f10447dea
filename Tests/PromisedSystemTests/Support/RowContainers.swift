import PromisedSystem

/// An identity that counts how often it is compared or hashed.
struct CountedID: Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    @TaskLocal static var uses: SharedCount?

    let number: Int

    init(_ number: Int) { self.number = number }
    init(integerLiteral number: Int) { self.number = number }

    var description: String { "\(number)" }

    static func == (left: CountedID, right: CountedID) -> Bool {
        uses?.add(1)
        return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
        Self.uses?.add(1)
        hasher.combine(number)
    }
}

struct CountedRow: Sendable, Equatable, Identifiable {
    var id: CountedID
    var count = 0
}

struct RowTable<Rows: RowContainer>: Sendable {
    var title = ""
    var rows: Rows
}

enum RowTableEvent<Rows: RowContainer>: Sendable {
    case row(CountedID, Int)
    case every(Int)
    case change(@Sendable (inout Rows) -> Void)

    static var row: CasePath<Self, (CountedID, Int)> {
        CasePath(embed: { .row($0.0, $0.1) }) {
            if case .row(let id, let add) = $0 { (id, add) } else { nil }
        }
    }

    static var every: @Sendable (Self) -> Int? { { if case .every(let add) = $0 { add } else { nil } } }
}

/// A container of rows, with the forms that a system has for its elements.
protocol RowContainer: Sendable {
    typealias Table = RowTable<Self>
    typealias Event = RowTableEvent<Self>

    init(_ rows: [CountedRow])
    /// In order; without one, by identity.
    var all: [CountedRow] { get }
    subscript(id id: CountedID) -> CountedRow? { get set }
    mutating func insertFirst(_ row: CountedRow)
    mutating func swap(_ first: Int, _ second: Int)

    static var elements: Elements<Table, Event, CountedID, CountedRow, Int> { get }
    static func scope(_ id: CountedID) -> Scope<Table, Event, CountedRow?, Int>
    /// A scope whose local event is the event of the table.
    static func wholeScope(_ id: CountedID) -> Scope<Table, Event, CountedRow?, Event>
}

extension Array: RowContainer where Element == CountedRow {
    var all: [CountedRow] { self }

    subscript(id id: CountedID) -> CountedRow? {
        get { first { $0.id == id } }
        set {
            let place = firstIndex { $0.id == id }
            switch (place, newValue) {
            case (let place?, let row?): self[place] = row
            case (let place?, nil): remove(at: place)
            case (nil, let row?): append(row)
            case (nil, nil): break
            }
        }
    }

    mutating func insertFirst(_ row: CountedRow) { insert(row, at: 0) }
    mutating func swap(_ first: Int, _ second: Int) { swapAt(first, second) }

    static var elements: Elements<Table, Event, CountedID, CountedRow, Int> {
        Elements(in: \Table.rows, event: Event.row, all: Event.every)
    }

    static func scope(_ id: CountedID) -> Scope<Table, Event, CountedRow?, Int> {
        Scope(id: id, in: \.rows, event: Event.row)
    }

    static func wholeScope(_ id: CountedID) -> Scope<Table, Event, CountedRow?, Event> {
        Scope(id: id, in: \.rows, event: CasePath(embed: { $0.1 }, extract: { (id, $0) }))
    }
}

extension IdentifiedArray: RowContainer where Element == CountedRow {
    var all: [CountedRow] { elements }

    mutating func insertFirst(_ row: CountedRow) { insert(row, at: 0) }
    mutating func swap(_ first: Int, _ second: Int) { swapAt(first, second) }

    static var elements: Elements<Table, Event, CountedID, CountedRow, Int> {
        Elements(in: \Table.rows, event: Event.row, all: Event.every)
    }

    static func scope(_ id: CountedID) -> Scope<Table, Event, CountedRow?, Int> {
        Scope(id: id, in: \.rows, event: Event.row)
    }

    static func wholeScope(_ id: CountedID) -> Scope<Table, Event, CountedRow?, Event> {
        Scope(id: id, in: \.rows, event: CasePath(embed: { $0.1 }, extract: { (id, $0) }))
    }
}

extension Dictionary: RowContainer where Key == CountedID, Value == CountedRow {
    init(_ rows: [CountedRow]) { self.init(uniqueKeysWithValues: rows.map { ($0.id, $0) }) }

    var all: [CountedRow] { values.sorted { $0.id.number < $1.id.number } }

    subscript(id id: CountedID) -> CountedRow? {
        get { self[id] }
        set { self[id] = newValue }
    }

    mutating func insertFirst(_ row: CountedRow) { self[row.id] = row }
    mutating func swap(_ first: Int, _ second: Int) {}

    static var elements: Elements<Table, Event, CountedID, CountedRow, Int> {
        Elements(keyedIn: \Table.rows, event: Event.row, all: Event.every)
    }

    static func scope(_ id: CountedID) -> Scope<Table, Event, CountedRow?, Int> {
        Scope(key: id, in: \.rows, event: Event.row)
    }

    static func wholeScope(_ id: CountedID) -> Scope<Table, Event, CountedRow?, Event> {
        Scope(key: id, in: \.rows, event: CasePath(embed: { $0.1 }, extract: { (id, $0) }))
    }
}
