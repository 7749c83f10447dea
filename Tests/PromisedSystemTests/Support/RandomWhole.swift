import PromisedSystem
import TestSupport

/// A state of random content, with parts down to a board.
protocol Level: Sendable, Equatable, Identifiable where ID == Int {
    associatedtype Event: Sendable & Equatable

    init(_ random: inout SeededGenerator)

    /// An event for this value, mostly for a part that exists.
    func event(_ random: inout SeededGenerator) -> Event

    /// Applies an event without the library; `leaf` applies it to the leaf that it is for.
    mutating func apply(_ event: Event, _ leaf: (inout Leaf, Signal) -> Void)
}

/// A board that can be an element.
struct Leaf: Level {
    let id: Int
    /// Distinguishes it from any other leaf, whatever its identity.
    let mark: Int
    var board = Board()

    func event(_ random: inout SeededGenerator) -> Signal {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .set(nil)
        case 1...4: .set(Int.random(in: 0..<4, using: &random))
        case 5: .note("n")
        default: .flag(.random(using: &random))
        }
    }

    mutating func apply(_ event: Signal, _ leaf: (inout Leaf, Signal) -> Void) { leaf(&self, event) }
}

extension Leaf {
    init(_ random: inout SeededGenerator) {
        self.init(
            id: Int.random(in: 0..<3, using: &random), mark: Int.random(in: 0..<1_000_000, using: &random))
        board.flag = .random(using: &random)
        board.value = Int.random(in: 0..<3, using: &random) == 0 ? mark % 4 : nil
    }
}

/// How a part of a storey is reached.
enum Form: Hashable, Sendable {
    case plain, mirrored, chosen, row(Int), entry(Int), place(Int), named(String), detail

    enum Family: CaseIterable, Sendable { case plain, mirrored, chosen, row, entry, place, named, detail }

    var family: Family {
        switch self {
        case .plain: .plain
        case .mirrored: .mirrored
        case .chosen: .chosen
        case .row: .row
        case .entry: .entry
        case .place: .place
        case .named: .named
        case .detail: .detail
        }
    }

    static func any(_ random: inout SeededGenerator) -> Form {
        let number = Int.random(in: 0..<3, using: &random)
        return switch Family.allCases.randomElement(using: &random) ?? .plain {
        case .plain: .plain
        case .mirrored: .mirrored
        case .chosen: .chosen
        case .row: .row(number)
        case .entry: .entry(number)
        case .place: .place(number)
        case .named: .named("k\(number)")
        case .detail: .detail
        }
    }
}

enum Destination<Inner: Level>: Sendable, Equatable {
    case list
    indirect case detail(Inner)
}

/// Counts the calls of a computed property's setter, for tests that need it.
enum Setters {
    @TaskLocal static var count: SharedCount?
}

/// A whole with a part of every form.
struct Storey<Inner: Level>: Level {
    let id: Int
    /// Before the parts, so that no part is the first field.
    var title = 0
    var plain: Inner
    var chosen: Inner?
    var rows: [Inner] = []
    var entries: IdentifiedArray<Inner> = []
    var places: [Inner] = []
    var named: [String: Inner] = [:]
    var screen = Destination<Inner>.list
    /// Not stored: reached by its key path.
    var mirrored: Inner {
        get { plain }
        set {
            plain = newValue
            Setters.count?.add(1)
        }
    }

    // MARK: Parts, without scopes

    func part(_ form: Form) -> Inner? {
        switch form {
        case .plain, .mirrored: return plain
        case .chosen: return chosen
        case .row(let id): return rows.first { $0.id == id }
        case .entry(let id): return entries[id: id]
        case .place(let place): return place < places.count ? places[place] : nil
        case .named(let key): return named[key]
        case .detail:
            if case .detail(let inner) = screen { return inner }
            return nil
        }
    }

    mutating func set(_ form: Form, _ part: Inner) {
        switch form {
        case .plain, .mirrored: plain = part
        case .chosen: if chosen != nil { chosen = part }
        case .row(let id): if let place = rows.firstIndex(where: { $0.id == id }) { rows[place] = part }
        case .entry(let id): if entries[id: id] != nil { entries[id: id] = part }
        case .place(let place): if place < places.count { places[place] = part }
        case .named(let key): if named[key] != nil { named[key] = part }
        case .detail: if case .detail = screen { screen = .detail(part) }
        }
    }

    /// All parts that exist.
    var forms: [Form] {
        var forms: [Form] = [.plain, .mirrored]
        if chosen != nil { forms.append(.chosen) }
        if case .detail = screen { forms.append(.detail) }
        if !rows.isEmpty { for id in rows.map(\.id).sorted() { forms.append(.row(id)) } }
        for id in entries.ids.sorted() { forms.append(.entry(id)) }
        if !places.isEmpty { for place in 0..<places.count { forms.append(.place(place)) } }
        if !named.isEmpty { for key in named.keys.sorted() { forms.append(.named(key)) } }
        return forms
    }

    /// Mostly of a part that exists.
    func form(_ random: inout SeededGenerator) -> Form {
        if Int.random(in: 0..<5, using: &random) == 0 { return .any(&random) }
        let forms = forms
        return forms[Int.random(in: 0..<forms.count, using: &random)]
    }

    // MARK: Events

    func event(_ random: inout SeededGenerator) -> StoreyEvent<Inner> {
        if Int.random(in: 0..<4, using: &random) == 0 { return .edit(Edit(&random)) }
        let form = form(&random)
        return .inner(form, (part(form) ?? plain).event(&random))
    }

    mutating func apply(_ event: StoreyEvent<Inner>, _ leaf: (inout Leaf, Signal) -> Void) {
        switch event {
        case .edit(let edit): apply(edit)
        case .inner(let form, let event):
            guard var part = part(form) else { return }
            part.apply(event, leaf)
            set(form, part)
        }
    }

    private mutating func apply(_ edit: Edit<Inner>) {
        switch edit.kind {
        case .title: title += 1
        case .replace: plain = edit.inner
        case .insertRow:
            // Identities must be unique.
            if !rows.contains(where: { $0.id == edit.inner.id }) {
                rows.insert(edit.inner, at: min(edit.from, rows.count))
            }
            if entries[id: edit.inner.id] == nil { entries.insert(edit.inner, at: edit.to) }
        case .removeRow:
            if edit.from < rows.count { rows.remove(at: edit.from) }
            if edit.to < entries.count { entries.remove(at: edit.to) }
        case .moveRow:
            rows.move(edit.from, edit.to)
            if edit.to < entries.count { entries.move(id: entries[edit.to].id, to: edit.from) }
        case .insertPlace: places.insert(edit.inner, at: min(edit.from, places.count))
        case .removePlace: if edit.from < places.count { places.remove(at: edit.from) }
        case .movePlace: places.move(edit.from, edit.to)
        case .put: named["k\(edit.from)"] = edit.inner
        case .take: named["k\(edit.from)"] = nil
        case .choose: chosen = edit.from == 0 ? nil : edit.inner
        case .show: screen = edit.from == 0 ? .list : .detail(edit.inner)
        }
    }
}

extension Storey {
    init(_ random: inout SeededGenerator) {
        func some() -> [Inner] {
            (0..<([0, 0, 1, 2].randomElement(using: &random) ?? 0)).map { _ in Inner(&random) }
        }
        self.init(id: Int.random(in: 0..<3, using: &random), plain: Inner(&random), places: some())
        for row in some() where !rows.contains(where: { $0.id == row.id }) { rows.append(row) }
        entries = IdentifiedArray(some())
        // Reserves room for all keys: a dictionary that grows has another order in every run.
        named.reserveCapacity(3)
        for (number, inner) in some().enumerated() { named["k\(number)"] = inner }
        if Int.random(in: 0..<3, using: &random) == 0 { chosen = Inner(&random) }
        if Int.random(in: 0..<3, using: &random) == 0 { screen = .detail(Inner(&random)) }
    }
}

/// An event of a storey. Indirect, because each copy would otherwise look up the metadata of its payloads.
indirect enum StoreyEvent<Inner: Level>: Sendable, Equatable {
    case edit(Edit<Inner>)
    case inner(Form, Inner.Event)
}

/// A change of the parts of a storey.
struct Edit<Inner: Level>: Sendable, Equatable {
    enum Kind: CaseIterable, Sendable {
        case title, replace, insertRow, removeRow, moveRow, insertPlace, removePlace, movePlace, put, take,
            choose, show
    }

    let kind: Kind
    let from: Int
    let to: Int
    let inner: Inner

    init(_ random: inout SeededGenerator) {
        // Parts that go and come back are rare, so these edits are weighted.
        let often: [Kind] = [.choose, .choose, .choose, .show, .show, .show]
        kind = (Kind.allCases + often).randomElement(using: &random) ?? .title
        from = Int.random(in: 0..<3, using: &random)
        to = Int.random(in: 0..<3, using: &random)
        inner = Inner(&random)
    }
}

extension Array {
    fileprivate mutating func move(_ from: Int, _ to: Int) {
        if from < count { insert(remove(at: from), at: Swift.min(to, count)) }
    }
}
