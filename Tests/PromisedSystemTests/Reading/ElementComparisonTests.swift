import PromisedSystem
import PromisedTesting
import Testing

/// What happens to the subscribers of elements while their elements are compared.
@Suite struct ElementComparisonTests {
    struct Row: Sendable, Identifiable, Equatable {
        let id: Int
        var text = ""

        /// Called with every comparison.
        @TaskLocal static var onComparison: @Sendable () -> Void = {}

        static func == (left: Row, right: Row) -> Bool {
            onComparison()
            return left.id == right.id && left.text == right.text
        }
    }

    private typealias Rows = System<[Row], Int>

    private let log = Log<String>()
    private let system = Rows(
        initialState: [Row(id: 1), Row(id: 2)], scheduler: .immediate,
        reducer: Reducer { rows, place in rows[place].text += "x" })

    private func subscribe(_ id: Int, keeping witness: Witness) -> SubscriptionToken {
        let scope = Scope<[Row], Int, Row?, Int>(
            id: id, in: \[Row].self, event: CasePath(embed: { $0.1 }, extract: { _ in nil }))
        return system.scoped(by: scope).settled.subscribe(replayCurrent: false) { [log] row in
            witness.touch()
            log.add("\(id) \(row?.text ?? "gone")")
        }
    }

    @Test("SR-32: a subscriber that is cancelled during a comparison is neither notified nor retained")
    func cancels() {
        let tokens = Box<[SubscriptionToken]>([])
        tokens.value = [1, 2].map { id in
            subscribe(id, keeping: Witness { [log] in log.add("released \(id)") })
        }
        let cancel = { @Sendable in if tokens.value.count == 2 { tokens.value.removeLast().cancel() } }
        Row.$onComparison.withValue(cancel) {
            system.sendEvent(0)
            system.sendEvent(1)
            system.sendEvent(0)
        }
        #expect(log.entries == ["1 x", "released 2", "1 xx"])
        tokens.value = []
        #expect(log.entries == ["1 x", "released 2", "1 xx", "released 1"])
    }

    @Test("SR-32: a system that is stopped during a comparison notifies no subscriber")
    func stops() {
        let tokens = [1, 2].map { id in subscribe(id, keeping: Witness { [log] in log.add("released \(id)") })
        }
        Row.$onComparison.withValue({ [system] in system.stop() }) { system.sendEvent(0) }
        #expect(log.entries.allSatisfy { $0.hasPrefix("released") })
        withExtendedLifetime(tokens) {}
    }
}
