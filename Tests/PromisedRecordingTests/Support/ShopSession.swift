@testable import PromisedRecording

/// A recording of a shop, as a recorder writes it, with facts of every kind: a page whose transitions are asynchronous,
/// a store of models, and a log that is recorded as text. Each round of 10 turns is like the one before.
struct ShopSession {
    private(set) var text = RecordingText()
    /// The states of the page by turn.
    private(set) var pages: [JSONValue] = []
    private var page: JSONValue = .object([
        "__proto__": .string("a key"), "big": .number("9007199254740993"), "lines": .array([]),
        "note": .string("\(Self.hostile) \u{1B}[31m\u{202E}\u{2028}"),
        "status": .object(["idle": .object([])]),
    ])
    private var store: JSONValue = .object([
        "rows": .array([.object(["count": .number(0), "id": .number(7)])])
    ])
    private var time = 0
    private var calls = 0

    static let hostile = "</script><script>window.broken = 1</script><img src=x onerror='window.broken = 2'>"
    private static let place = JSONValue.number(3)

    init(rounds: Int) {
        note()
        text.add(system: "page", number: 1, page)
        text.add(system: "store", number: 2, store)
        add(
            .system,
            RecordedSystem(number: 3, name: "log", state: "Log", event: "Event", exact: []).fields + [
                .init("x", .string("Log(empty)"))
            ])
        for round in 0..<rounds { add(round: round) }
    }

    /// The end of the recording: a transition, an effect and a call are in flight.
    mutating func addEnd() {
        load("late", answers: false)
        add(
            .run,
            [
                "s": 1, "run": 99_999, "key": .string("watch"), "request": 1,
                "path": .array([.string("rows"), .number(3)]),
            ])
        add(.lost, ["facts": 812])
        add(.pause, [:])
        add(.resume, [:])
        text.add(line: "{\"n\":\(text.turn),\"k\":\"turn\",\(Self.hostile)")
        text.add(line: "{\"n\":\(text.turn),\"k\":\"unheard\",\"x\":1}")
        add(.end, ["turns": .number(text.turn), "lost": 812])
    }

    private mutating func add(round: Int) {
        if round % 10 == 0 { addKey() }
        let line: JSONValue = .object([
            "count": .number(1), "id": .number(round), "text": .string("tea \(round) \(Self.hostile)"),
        ])
        var lines = page["lines"]?.array ?? []
        lines.append(line)
        if lines.count > 4 { lines.removeFirst() }
        turn("add", .object(["_0": .string("tea \(round)"), "count": 1])) {
            $0.set("lines", to: .array(lines))
        }
        turn("nothing", .object([])) { _ in }
        load("tea \(round)", answers: true)
        load("milk \(round)", answers: true, fails: true)
        effects(round)
        write(round)
        text.skip(1)
        let log: [JSONMember] = [
            .init("s", 3), .init("ex", .string("Event.logged(\(round))")), .init("o", "settled"),
            .init("x", .string("Log(\(round) entries)")), .init("d", 900),
        ]
        add(.turn, log)
        for step in 0..<3 {
            turn("step", .object(["_0": .number(step)])) { $0.set("step", to: .number(step)) }
        }
    }

    // MARK: Facts

    private mutating func add(
        _ kind: RecordedFact.Kind, _ members: [JSONMember], after nanoseconds: Int = 250_000
    ) {
        time += nanoseconds
        var fields: [JSONMember] = [.init("t", .number(time))]
        for member in members { fields.set(member.key, to: member.value) }
        text.add(kind, .object(fields))
        if kind.countsTurn || kind == .shown || kind == .turn { note() }
    }

    private mutating func add(_ kind: RecordedFact.Kind, _ members: KeyValuePairs<String, JSONValue>) {
        add(kind, members.map { .init($0.key, $0.value) })
    }

    private mutating func note() {
        while pages.count <= text.turn { pages.append(page) }
        pages[text.turn] = page
    }

    private mutating func addKey() {
        let systems: [RecordedSystem] = [
            .init(
                number: 1, name: "page", state: "Shop.State", event: "Shop.Event", exact: ["state", "event"]),
            .init(number: 2, name: "store", state: "Store", event: "Event", exact: ["state", "event"]),
            .init(number: 3, name: "log", state: "Log", event: "Event", exact: []),
        ]
        add(
            .key,
            [
                "states": .object(["1": page, "2": store]), "texts": .object(["3": .string("Log")]),
                "systems": .array(systems.map { .object($0.fields) }),
            ])
        add(.place, ["at": Self.place, "file": "Shop/PageScreen.swift", "line": 112])
    }

    /// What changes the page, as a difference.
    private mutating func change(_ body: (inout [JSONMember]) -> Void) -> JSONMember {
        let old = page
        var members = page.object ?? []
        body(&members)
        page = .object(members)
        return .init("c", ValuePatch(from: old, to: page, renaming: true).json)
    }

    private mutating func turn(_ name: String, _ values: JSONValue, _ body: (inout [JSONMember]) -> Void) {
        text.skip(1)
        let event = JSONValue.object([.init(name, values)])
        add(
            .turn,
            [
                .init("s", 1), .init("e", event), .init("at", Self.place), .init("o", "settled"),
                .init("d", 3_500), change(body),
            ])
    }

    private mutating func load(_ name: String, answers: Bool, fails: Bool = false) {
        let event = JSONValue.object(["load": .object(["_0": .string(name)])])
        calls += 1
        let id = JSONMember("id", .number(calls))
        add(
            .send,
            [
                .init("s", 1), id, .init("e", event), .init("at", Self.place), .init("p", "replace"),
                .init("by", "run 7"),
            ])
        text.skip(1)
        let turn = JSONMember("turn", .number(text.turn))
        let by = JSONMember("by", .string("turn \(text.turn)"))
        add(.begin, [.init("s", 1), turn, id, .init("w", 250_000)])
        let loading = change { $0.set("status", to: .object(["loading": .object(["_0": .string(name)])])) }
        add(.shown, [.init("s", 1), loading])
        add(
            .call,
            [
                .init("s", 1), id, .init("name", "find"), .init("in", .string(name)), by,
                .init("at", Self.place),
            ])
        add(.timer, [.init("s", 1), by, .init("number", 1), .init("after", 5_000_000_000)])
        add(.drop, ["s": 1, "id": .number(calls), "why": "busy"])
        guard answers else { return }
        add(.answer, [.init("s", 1), id, .init("interim", .string("half"))], after: 4_000_000)
        let error = JSONValue.object(["type": "ShopError", "text": "offline"])
        let result: [JSONMember] =
            fails ? [.init("error", error)] : [.init("out", .object(["name": .string(name)]))]
        add(.answer, [.init("s", 1), id] + result, after: 8_000_000)
        let settled = change {
            $0.set(
                "status",
                to: fails
                    ? .object(["idle": .object([])]) : .object(["shown": .object(["name": .string(name)])]))
        }
        add(
            .turn,
            [.init("s", 1), turn, .init("o", fails ? "failed" : "settled"), settled]
                + (fails ? [.init("error", "offline")] : []))
        add(.drop, ["s": 1, "id": 999_999, "why": "debounced"])
    }

    private mutating func effects(_ round: Int) {
        turn("search", .object(["_0": .string("tea")])) { $0.set("search", to: .number(round)) }
        let run = JSONValue.number(round + 1)
        let by = JSONValue.string("run \(round + 1)")
        add(.wait, ["s": 1, "request": run, "key": "search"])
        add(.run, ["s": 1, "run": run, "key": "search", "request": run, "at": Self.place])
        add(.async, ["s": 1, "id": run, "by": by, "at": Self.place])
        add(.timer, ["s": 1, "by": by, "number": 1, "after": 300_000_000])
        add(.fire, ["s": 1, "by": by, "number": 1])
        add(.fire, ["s": 1, "by": "loop", "delay": "typing"])
        add(.asyncEnd, ["s": 1, "id": run])
        add(round % 2 == 0 ? .ran : .cancel, ["s": 1, "run": run])
    }

    private mutating func write(_ round: Int) {
        text.skip(1)
        let old = store
        store = .object(["rows": .array([.object(["count": .number(round + 1), "id": 7])])])
        add(
            .write,
            [
                "s": 2, "model": "Row", "place": "rows[0]", "property": "count", "by": "run 3",
                "at": Self.place,
                "c": ValuePatch(from: old, to: store, renaming: true).json,
            ])
        add(.post, ["s": 2, "event": .object(["saved": .object([])])])
        add(
            .action,
            ["source": "cities", "action": "reload", "in": .array([.string("fr")]), "problem": "offline"])
    }
}

/// Values in tests are literals.
extension JSONValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// A number.
    public init(integerLiteral value: Int) { self = .number(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
}
