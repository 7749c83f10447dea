import Foundation
import PromisedModelsTesting
import Synchronization
import Testing

@testable import CounterList

/// The published counter application, in virtual time.
struct CounterListTests {
    private let id = UUID(uuidString: "00000000-0000-0000-0000-000000000000")!

    private func test(_ fetch: @escaping @Sendable (Int) async throws -> String) -> TestStore<AppModel> {
        TestStore<AppModel>(initialState: .init()) {
            $0.factClient.fetch = fetch
            $0.uuid = .incrementing
        }
    }

    @Test("OS-53, OS-55, OS-58: a fact is asked for, shown and dismissed")
    func fact() throws {
        let test = test { "\($0) is a good number." }
        let app = test.model
        app.perform { $0.addButtonTapped() }
        app.assert { $0.counters = [.init(id: id)] }
        let counter = try app.child { try #require($0.counters.first).counter }
        counter.perform { $0.incrementTapped() }
        counter.assert(\.count, 1)
        #expect(app.sum == 1)
        counter.perform { $0.factButtonTapped() }
        counter.receive(.onFact(1, "1 is a good number."))
        app.assert(\.factPrompt, .init(count: 1, fact: "1 is a good number."))
        let prompt = try app.child { try #require($0.factPrompt) }
        prompt.perform { $0.dismissTapped() }
        prompt.receive(.onDismiss)
        app.assert { $0.factPrompt = nil }
        test.finish()
    }

    @Test("A client that fails shows an alert")
    func alert() throws {
        let test = test { _ in throw NoFact() }
        let app = test.model
        app.perform { $0.addButtonTapped() }
        app.assert { $0.counters = [.init(id: id)] }
        let counter = try app.child { try #require($0.counters.first).counter }
        counter.perform { $0.factButtonTapped() }
        counter.assert { $0.alert = .init(title: "Error", message: "Couldn't load fact.") }
        counter.perform { $0.alertDismissed() }
        counter.assert { $0.alert = nil }
        test.finish()
    }

    @Test("A counter that is removed while it waits for a fact shows none")
    func removed() throws {
        let test = TestStore<AppModel>(initialState: .init()) { values in
            values.uuid = .incrementing
            let clock = values.clock
            values.factClient.fetch = { number in
                try await clock.sleep(for: .seconds(1))
                return "\(number) is late."
            }
        }
        let app = test.model
        app.perform { $0.addButtonTapped() }
        app.assert { $0.counters = [.init(id: id)] }
        let row = try app.child { try #require($0.counters.first) }
        row.child(\.counter).perform { $0.factButtonTapped() }
        row.perform { $0.removeButtonTapped() }
        row.receive(.onRemove)
        app.assert { $0.counters = [] }
        test.advance(by: .seconds(2))
        test.finish()
    }

    @Test("A second fact is loaded while the first one is shown")
    func secondFact() throws {
        let test = TestStore<AppModel>(initialState: .init(factPrompt: .init(count: 7, fact: "first"))) {
            values in
            let clock = values.clock
            values.factClient.fetch = { number in
                try await clock.sleep(for: .seconds(1))
                return "\(number) again"
            }
        }
        let prompt = try test.model.child { try #require($0.factPrompt) }
        prompt.perform { $0.getFactButtonTapped() }
        prompt.assert { $0.isLoading = true }
        test.advance(by: .seconds(1))
        prompt.assert {
            $0.fact = "7 again"
            $0.isLoading = false
        }
        test.finish()
    }

    @Test("OS-66: the store is made in main, its model is given to the view, and the session is printed")
    func session() async throws {
        let store = Store<AppModel>(initialState: .init(), scheduler: QueueScheduler.serial("session")) {
            $0.uuid = .incrementing
        }
        let shown = try await CounterList.session(store.model)
        #expect(
            shown == [
                """
                Sum: 1
                  1. 2
                  2. -1
                """,
                """
                Sum: 1
                  1. 2
                  2. -1
                  > 2 is the only even prime number.
                """,
                """
                Sum: 1
                  1. 2
                  2. -1  [Error: Couldn't load fact.]
                """,
                """
                Sum: 2
                  1. 2
                """,
            ])
    }

    @Test("The view prints what has changed, and nothing twice")
    func printing() {
        let test = TestStore<AppModel>(initialState: .init(), exhaustivity: .off) { $0.uuid = .incrementing }
        let shown = Texts()
        let token = TerminalView(model: test.store.model).printing { shown.add($0) }
        test.model.perform { $0.addButtonTapped() }
        test.model.perform { $0.counters[0].counter.incrementTapped() }
        test.model.perform { $0.counters[0].counter.alertDismissed() }
        #expect(shown.all == ["Sum: 0", "Sum: 0\n  1. 0", "Sum: 1\n  1. 1"])
        token.cancel()
    }
}

private final class Texts: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
}
