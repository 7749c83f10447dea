import Promise
import PromisedModels
import PromisedSources
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// A store of models, or a key of fetches, is run again.
@Suite(.tags(.sharedState)) struct ReplayedObjectTests {
    private struct Shelf: Model {
        struct State: Codable, Hashable {
            var names: [String] = []
            var price: Int?, sum = 0
        }

        let context: ModelContext<Shelf>
        static let price = Endpoint<String, Int>("price") { .value($0.count).delay(.milliseconds(1)) }
        private var state: ModelState<Self> { context.state }

        func onActivate() {
            forEach(values(of: \.price)) { price in
                if let price { state.sum += price * dependency(FactorKey.self) }
            }
        }

        func add(_ name: String) { state.names.append(name) }
        /// Begun by something outside: no replay can begin it.
        func findPrice() {
            task {
                state.price = nil
                state.price = try await Self.price(state.names.last ?? "").value
            }
        }
    }

    private enum FactorKey: DependencyKey { static let liveValue = 1 }

    private let session: RecordedSession

    init() throws { session = try RecordedSession() }

    private func recordShelf() async throws -> Recording {
        let scheduler = TestScheduler()
        let store = Store<Shelf>(initialState: .init(), scheduler: scheduler) {
            $0.record(by: session.recorder, as: "shelf")
        }
        for name in ["tea", "lamp"] {
            scheduler.schedule {
                store.model.add(name)
                store.model.findPrice()
            }
            scheduler.advance(by: .milliseconds(5))
        }
        #expect(store.state == .init(names: ["tea", "lamp"], price: 4, sum: 7))
        return try await session.recording()
    }

    private func run(_ recording: Recording, factor: Int = 1) throws -> RunResult {
        try recording.run(Shelf.State.self, as: "shelf") { start in
            Store<Shelf>(initialState: start.state, scheduler: start.scheduler) {
                $0[FactorKey.self] = factor
            }
            .replayed
        }
    }

    @Test("the writes of a task that something outside has begun are repeated, and its calls are not made")
    func outsideTasks() async throws {
        let recording = try await recordShelf()
        let runs = try recording.factTexts().filter { $0.contains(" run {") }
        #expect(runs.map { $0.contains(#""by":"outside""#) } == [false, true, true])
        let result = try run(recording)
        #expect(result.isSame && result.turns == 8, "\(result)")
    }

    @Test("a changed model is found at its first write")
    func changed() async throws {
        let result = try run(try await recordShelf(), factor: 2)
        #expect(
            result.difference?.description == """
                turn 4 (line 19):
                  from recorded to today:
                  sum: 3 → 6
                """)
    }

    @Test(
        "a store that was recorded after its models were activated differs: their tasks are not in the recording"
    )
    func lateRecording() async throws {
        let scheduler = TestScheduler()
        let store = Store<Shelf>(initialState: .init(), scheduler: scheduler)
        scheduler.advance()
        session.recorder.record(store, as: "shelf")
        scheduler.schedule { store.model.add("tea") }
        scheduler.advance()
        let result = try run(try await session.recording())
        #expect(!result.isSame)
    }

    @Test("a change of a fetched value is a function, and ends the run with a difference that says so")
    func functions() async throws {
        let scheduler = TestScheduler()
        let fetches = Fetches(from: RateServer(), on: scheduler)
        session.recorder.record(fetches, as: "rates")
        let key = RateKey(name: "eur")
        let token = fetches.source(key).subscribe { _ in }
        scheduler.advance(by: .seconds(1))
        fetches.set(key) { $0? += 1 }
        scheduler.advance()
        let recording = try await session.recording()
        let result = try recording.run(RecordedFetch<Int>.self, as: "rates \(key)") { start in
            Fetches(from: RateServer(), on: start.scheduler).replayed(key)
        }
        #expect(result.turns == 2)
        #expect(result.difference?.actual.contains("a recording does not have") == true, "\(result)")
        withExtendedLifetime(token) {}
    }

    @Test("a program that makes another system beside the recorded one is run again")
    func systemsBeside() async throws {
        let ask = Endpoint<Int, Int>("ask") { Promise.value($0 + 1).delay(.milliseconds(2)) }
        func make(
            on scheduler: some SerialScheduler, from state: Int = 0,
            _ configuration: System<Int, Int>.Configuration = .init()
        ) -> (System<Int, Int>, System<String, String>) {
            let beside = System<String, String>(
                initialState: "", scheduler: scheduler, reducer: Reducer { $0 += $1 },
                feedbacks: [.atStart(Promise.value("!").delay(.milliseconds(1)))])
            let system = System<Int, Int>(
                initialState: state, scheduler: scheduler, reducer: Reducer { $0 = $1 },
                feedbacks: [
                    .onEvent({ $0 < 3 ? $0 : nil }) { number in
                        Effect.promise(ask(number).delay(.milliseconds(1)))
                    }
                ], configuration: configuration)
            return (system, beside)
        }
        let scheduler = TestScheduler()
        let systems = make(on: scheduler, .init().recorded(by: session.recorder, as: "numbers"))
        systems.0.sendEvent(1)
        scheduler.advance(by: .seconds(1))
        #expect(systems.0.state == 3 && systems.1.state == "!")
        let kept = Lock<System<String, String>?>(nil)
        let result = try await session.recording().run(Int.self, Int.self, as: "numbers") { start in
            let (system, beside) = make(on: start.scheduler, from: start.state)
            kept.exchange(for: beside)
            return system
        }
        #expect(result.isSame && result.turns == 3, "\(result)")
    }
}
