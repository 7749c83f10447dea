import Promise
import PromisedModels
import PromisedSystem
import PromisedTesting
import Testing

/// What a store lists as running.
@Suite struct RunningTaskTests {
    struct Settings: Model {
        struct State: Hashable { var volume = 0 }
        let context: ModelContext<Settings>

        func fade() { task { try await dependency(\.clock).sleep(for: .seconds(9)) } }
    }

    enum Shared: DependencyKey {
        static var liveValue: Settings { Settings(initialState: .init()) }
    }

    struct Row: Model {
        struct State: Equatable, Identifiable {
            let id: Int
            var price = 0
        }
        let context: ModelContext<Row>

        static let place = "PromisedModelsTests/RunningTaskTests.swift:\(#line + 4)"

        @discardableResult
        func load(_ find: Endpoint<Int, Int>) -> Cancellable {
            task { context.state.price = try await find(context.state.id).value }
        }
    }

    struct Page: Model {
        struct State: Equatable { var rows = (0..<2).map { Row.State(id: $0) } }
        let context: ModelContext<Page>
        static let children: [Child<Page>] = [.each(\.rows, Row.self)]

        var rows: [Row] { children(\.rows) }
        var settings: Settings { dependency(Shared.self) }

        func follow(_ numbers: AsyncStream<Int>) { forEach(numbers) { _ in } }
        func onCancel() { onCancel {} }
    }

    private let scheduler = TestScheduler()
    private let find = Endpoint("find") { (id: Int) in Promise.value(id).delay(.seconds(id + 1)) }

    private func lines(_ store: Store<Page>) -> [String] { store.running.map(\.description) }

    @Test("A store without a task lists nothing, nor does one that has ended") func none() {
        let store = Store<Page>(initialState: .init(), scheduler: scheduler)
        store.model.onCancel()
        scheduler.advance()
        #expect(store.running.isEmpty)
        store.model.rows[0].load(find)
        scheduler.advance()
        #expect(store.running.count == 2)
        store.end()
        scheduler.advance()
        #expect(store.running.isEmpty)
    }

    @Test("A task has the name of its model, its place and its age, and its call follows") func tasks() {
        let store = Store<Page>(initialState: .init(), scheduler: scheduler)
        store.model.rows[0].load(find)
        scheduler.advance(by: .milliseconds(500))
        let cancelled = store.model.rows[1].load(find)
        scheduler.advance()
        #expect(
            lines(store) == [
                "effect Row at \(Row.place), for 0.5 seconds", "effect Row at \(Row.place), for 0.0 seconds",
                "call find at \(Row.place), for 0.5 seconds", "call find at \(Row.place), for 0.0 seconds",
            ])
        scheduler.advance(by: .milliseconds(500))
        #expect(store.running.map(\.kind) == [.effect, .call])
        cancelled.cancel()
        scheduler.advance()
        #expect(store.running.isEmpty)
    }

    @Test("A task that waits for an element is listed, and the tasks of models that are dependencies are")
    func others() {
        let store = Store<Page>(initialState: .init(), scheduler: scheduler)
        let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
        store.model.follow(numbers)
        store.model.settings.fade()
        find(5).start(on: scheduler)
        scheduler.advance(by: .seconds(1))
        #expect(store.running.map(\.name) == ["Page", "Settings", "find"])
        #expect(store.running.map(\.duration) == [.seconds(1), .seconds(1), .seconds(1)])
        scheduler.advance(by: .seconds(8))
        #expect(store.running.map(\.name) == ["Page"])
        continuation.finish()
        scheduler.advance()
        #expect(store.running.isEmpty)
    }
}
