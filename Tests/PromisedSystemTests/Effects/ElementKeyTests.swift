import PromisedSystem
import PromisedTesting
import Testing

/// One key in feedbacks that are lifted to one element in different ways.
@Suite struct ElementKeyTests {
    struct Cell: Sendable, Identifiable { let id: Int }

    struct Row: Sendable, Identifiable {
        let id: Int
        var cells = [Cell(id: 1), Cell(id: 2)]
    }

    struct Table: Sendable { var rows = [Row(id: 1), Row(id: 2)] }

    struct State: Sendable { var (left, right) = (Table(), Table()) }

    enum Command: Sendable { case begin(String, EffectPolicy), cancel }

    /// An event for a cell: its table, its row, its own id.
    struct Event: Sendable {
        var path: [Int]
        let command: Command
    }

    typealias CellFeedback = Feedback<Cell, Event>
    typealias Lift = @Sendable (CellFeedback) -> Feedback<State, Event>

    private static func step<ID: Sendable>(
        _ id: @escaping @Sendable (Int) -> ID, _ number: @escaping @Sendable (ID) -> Int
    )
        -> CasePath<Event, (ID, Event)>
    {
        CasePath(embed: { Event(path: [number($0.0)] + $0.1.path, command: $0.1.command) }) { event in
            event.path.first.map {
                (id($0), Event(path: Array(event.path.dropFirst()), command: event.command))
            }
        }
    }

    private static let byNumber = step({ $0 }, { $0 })
    private static let cells = Elements(in: \Row.cells, event: byNumber)
    private static let rows = Elements(in: \Table.rows, event: byNumber)

    private static func table(_ number: Int, _ path: any WritableKeyPath<State, Table> & Sendable)
        -> Scope<State, Event, Table, Event>
    {
        Scope(
            state: path,
            event: CasePath(embed: { Event(path: [number] + $0.path, command: $0.command) }) { event in
                event.path.first == number
                    ? Event(path: Array(event.path.dropFirst()), command: event.command) : nil
            })
    }

    private static let left = table(0, \.left)
    private static let right = table(1, \.right)

    /// All ways to the second cell of the second row of the left table; those to every cell reach others, too.
    private static let lifts: [String: Lift] = [
        "each of each": { $0.lifted(byEach: cells).lifted(byEach: rows).lifted(by: left) },
        "one of each": { $0.lifted(by: cells.scope(of: 2)).lifted(byEach: rows).lifted(by: left) },
        "each of one": { $0.lifted(byEach: cells).lifted(by: rows.scope(of: 2)).lifted(by: left) },
        "one of one": { $0.lifted(by: cells.scope(of: 2)).lifted(by: rows.scope(of: 2)).lifted(by: left) },
        "one scope": { $0.lifted(by: left.appending(rows.scope(of: 2)).appending(cells.scope(of: 2))) },
        "each of a scope": { $0.lifted(byEach: cells).lifted(by: left.appending(rows.scope(of: 2))) },
    ]
    private static let others: [String: Lift] = [
        "another cell": { $0.lifted(by: left.appending(rows.scope(of: 2)).appending(cells.scope(of: 1))) },
        "another row": { $0.lifted(by: left.appending(rows.scope(of: 1)).appending(cells.scope(of: 2))) },
        "another table": { $0.lifted(by: right.appending(rows.scope(of: 2)).appending(cells.scope(of: 2))) },
        "each of another table": { $0.lifted(byEach: cells).lifted(byEach: rows).lifted(by: right) },
    ]
    private static let paths = ["another cell": [0, 2, 1], "another row": [0, 1, 2]]

    private let works = Log<String>()
    private let scheduler = TestScheduler()

    /// Work of a feedback that hears only events of its name.
    private func feedback(_ name: String) -> CellFeedback {
        .onEvent(
            {
                if case .begin(let text, let policy) = $0.command, text == name {
                    (text, policy)
                } else {
                    nil
                }
            },
            key: { _ in "key" }, policy: { $0.1 }
        ) { [works] in
            let name = $0.0
            return Effect<Event> { effect in
                works.add("+\(name)")
                effect.onCancel { works.add("-\(name)") }
            }
        }
    }

    private func canceller() -> CellFeedback {
        .onEvent({ if case .cancel = $0.command { true } else { nil } }) { _ in Effect<Event>.cancel("key") }
    }

    private func system(_ feedbacks: [Feedback<State, Event>]) -> System<State, Event> {
        System(
            initialState: State(), scheduler: scheduler, reducer: Reducer { (_: inout State, _: Event) in },
            feedbacks: feedbacks)
    }

    private func send(_ command: Command, to path: [Int], _ system: System<State, Event>) -> [String] {
        system.sendEvent(Event(path: path, command: command))
        scheduler.advance()
        return works.take()
    }

    @Test(
        "an element has one set of keys, however its feedbacks are lifted", arguments: lifts.keys, lifts.keys)
    func sharedKey(_ first: String, _ second: String) throws {
        let lift = (try #require(Self.lifts[first]), try #require(Self.lifts[second]))
        let system = system([lift.0(feedback("a")), lift.1(feedback("b"))])
        let place = [0, 2, 2]
        #expect(send(.begin("a", .concurrent), to: place, system) == ["+a"])
        #expect(send(.begin("b", .drop), to: place, system) == [])
        #expect(send(.begin("b", .replace), to: place, system) == ["-a", "+b"])
        #expect(send(.begin("a", .queue), to: place, system) == [])
    }

    @Test("another element has its own keys", arguments: lifts.keys, others.keys)
    func ownKey(_ first: String, _ other: String) throws {
        let lift = (try #require(Self.lifts[first]), try #require(Self.others[other]))
        let system = system([lift.0(feedback("a")), lift.1(feedback("b"))])
        #expect(send(.begin("a", .concurrent), to: [0, 2, 2], system) == ["+a"])
        #expect(send(.begin("b", .drop), to: Self.paths[other] ?? [1, 2, 2], system) == ["+b"])
    }

    @Test("an element's work reaches its own key only", arguments: lifts.keys, others.keys)
    func reach(_ first: String, _ other: String) throws {
        let lift = (try #require(Self.lifts[first]), try #require(Self.others[other]))
        for (name, sender) in Self.lifts {
            let system = system([lift.0(feedback("a")), lift.1(feedback("b")), sender(canceller())])
            let path = Self.paths[other] ?? [1, 2, 2]
            #expect(send(.begin("a", .concurrent), to: [0, 2, 2], system) == ["+a"])
            #expect(send(.begin("b", .concurrent), to: path, system) == ["+b"])
            #expect(send(.cancel, to: [0, 2, 2], system) == ["-a"], "\(name)")
            system.stop()
            _ = works.take()
        }
    }
}
