import Promise
@testable import PromisedSystem
import PromisedTesting
import Testing

/// What removed elements leave behind.
@Suite struct RemovedElementTests {
    struct Row: Sendable, Equatable, Identifiable { let id: Int }

    struct Table: Sendable { var rows = [3, 1, 2].map { Row(id: $0) } }

    enum Event: Sendable { case row(Int, String), remove([Int]) }

    private static let rows = Elements(
        in: \Table.rows,
        event: CasePath<Event, (Int, String)>(embed: { .row($0.0, $0.1) }) {
            if case .row(let id, let event) = $0 { (id, event) } else { nil }
        })

    private let scheduler = TestScheduler()
    private let works = Log<String>()

    private func system(_ feedbacks: Feedback<Row, String>...) -> System<Table, Event> {
        System(
            initialState: Table(), scheduler: scheduler,
            feature: Feature(
                reducer: Reducer<Table, Event> { table, event in
                    if case .remove(let ids) = event { table.rows.removeAll { ids.contains($0.id) } }
                }) <> Feature(feedbacks: feedbacks).lifted(byEach: Self.rows))
    }

    private func work(_ what: String) -> Effect<String> {
        Effect { [works] effect in
            works.add("+\(what)")
            effect.onCancel { works.add("-\(what)") }
        }
    }

    @Test("SR-35: the work of elements that are removed together ends in the order of the elements")
    func order() {
        let system = system(.skippingRepeated(state: \.id) { row in self.work("\(row.id)") })
        scheduler.advance()
        #expect(works.take() == ["+3", "+1", "+2"])
        system.sendEvent(.remove([1, 2, 3]))
        scheduler.advance()
        #expect(works.entries == ["-3", "-1", "-2"])
    }

    @Test("SR-35: work that events started ends in the order of the first event of each")
    func orderOfEvents() {
        let system = system(.onEvent({ $0 }) { what in self.work(what) })
        for (id, what) in [(1, "a"), (3, "b"), (2, "c")] { system.sendEvent(.row(id, what)) }
        system.sendEvent(.remove([1, 2, 3]))
        scheduler.advance()
        #expect(works.entries == ["+a", "+b", "+c", "-a", "-b", "-c"])
    }

    @Test(
        "SR-41: an element's broadcast reaches its own work alone, and none while the element is being removed"
    )
    func broadcasts() {
        let broadcast = Box<(@Sendable () -> Void)?>(nil)
        let system = system(
            .onEvent({ $0.count == 1 ? $0 : nil }, key: { _ in "talk" }) { [works] what in
                Effect { effect in
                    effect.onBroadcast { (text: String) in works.add("\(what) \(text)") }
                }
            },
            .onEvent({ $0 == "say" ? $0 : nil }) { _ in Effect<String>.broadcast("hello", to: "talk") },
            .onEvent({ $0 == "wait" ? $0 : nil }) { _ in
                Effect { effect in
                    broadcast.value = { effect.context.port.broadcast("late", to: "talk", from: effect.run) }
                }
            })
        for (id, what) in [(1, "a"), (2, "b"), (1, "say"), (1, "wait")] { system.sendEvent(.row(id, what)) }
        scheduler.advance()
        #expect(works.take() == ["a hello"])
        // Notified of the state before the feedbacks are, so the broadcast is requested during the removal.
        let token = system.settled.subscribe(replayCurrent: false) { _ in broadcast.value?() }
        system.sendEvent(.remove([1]))
        scheduler.advance()
        #expect(works.entries.isEmpty)
        token.cancel()
    }
}
