/// A line that another one ends, while that has not happened.
struct OpenWork: Sendable, Hashable {
    /// 0 where only one system is meant.
    var system = 0
    let kind: RecordedFact.Kind
    let number: Int

    func of(_ system: Int) -> OpenWork { .init(system: system, kind: kind, number: number) }

    /// Which lines begin something, and the member that has its number; and which lines end it.
    static let beginnings: [RecordedFact.Kind: String] = [
        .send: "id", .begin: "turn", .run: "run", .call: "id", .async: "id",
        .held: "hold",
    ]
    private static let endings: [RecordedFact.Kind: [(kind: RecordedFact.Kind, number: String)]] = [
        .begin: [(.send, "id")], .turn: [(.send, "id"), (.begin, "turn")], .drop: [(.send, "id")],
        .ran: [(.run, "run")], .cancel: [(.run, "run")], .answer: [(.call, "id")],
        .asyncEnd: [(.async, "id")], .released: [(.held, "hold")],
    ]

    /// Calls `body` with what a line begins, and with what it ends.
    static func forEachChange(
        _ kind: RecordedFact.Kind, _ number: (String) -> Int?, _ body: (OpenWork, _ begins: Bool) -> Void
    ) {
        for end in endings[kind] ?? [] {
            if let number = number(end.number) { body(OpenWork(kind: end.kind, number: number), false) }
        }
        if let name = beginnings[kind], let number = number(name) {
            body(OpenWork(kind: kind, number: number), true)
        }
    }
}
