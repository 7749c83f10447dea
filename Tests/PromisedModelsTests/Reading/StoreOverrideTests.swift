import Observation
import Promise
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

private struct OverriddenRow: Model {
    struct State: Equatable, Identifiable, Sendable {
        let id: Int
        var count = 0
    }
    let context: ModelContext<OverriddenRow>
    var state: ModelState<OverriddenRow> { context.state }
}

private struct OverriddenPage: Model {
    struct State: Equatable, Sendable {
        var count = 0
        var log = ""
        var rows: [OverriddenRow.State] = []
    }
    let context: ModelContext<OverriddenPage>
    static let children: [Child<OverriddenPage>] = [.each(\.rows, OverriddenRow.self)]
    var state: ModelState<OverriddenPage> { context.state }

    var rows: [OverriddenRow] { children(\.rows) }
    func increment() { state.count += 1 }
    func incrementLater() { task { state.count += 1 } }
    func fail() { transaction { state.count += 100 } }
}

@Suite struct StoreOverrideTests {
    private func store(_ count: Int, on scheduler: some SerialScheduler = .immediate) -> Store<OverriddenPage>
    {
        Store(initialState: .init(count: count), scheduler: scheduler)
    }

    @Test(
        "OS-61: readers see the override, the live state goes on hidden, writes through it go nowhere, its end tells readers"
    )
    func override() {
        let scheduler = TestScheduler()
        let store = store(5, on: scheduler)
        scheduler.advance()
        let (seen, states) = (Log<Int>(), Log<Int>())
        let tokens = [
            store.model.source(of: \.count).subscribe { seen.add($0) },
            store.states.subscribe { states.add($0.count) },
        ]
        // Begun before, so it is a part of what is live.
        let (gate, resolver) = Promise<Void>.pending()
        store.model.task { [model = store.model] in
            try await gate.value
            model.increment()
            seen.add(-model.state.count)
        }
        scheduler.advance()
        store.stateOverride = .init(count: 2)
        scheduler.advance()
        #expect(store.model.count == 2)
        #expect(store.state.count == 2)
        #expect(store.model.state.value.count == 2)
        store.model.increment()
        #expect(store.model.count == 2)
        resolver.fulfill(())
        scheduler.advance()
        #expect(store.model.count == 2)
        store.stateOverride = nil
        scheduler.advance()
        #expect(store.model.count == 6)
        #expect(store.state.count == 6)
        #expect(seen.entries == [5, 2, -6, 6])
        #expect(states.entries == [5, 2, 6])
        #expect(store.ignoredWrites == 1)
        withExtendedLifetime(tokens) {}
    }

    @Test("What a reader of an override writes, sends or begins goes nowhere, in whatever way")
    func readersChangeNothing() {
        let store = store(5)
        store.stateOverride = .init(count: 2)
        let model = store.model
        model.increment()
        model.state.count = 7
        model.state.update { $0.count = 8 }
        model.fail()
        model.incrementLater()
        store.replace(.init(count: 9))
        #expect(model.count == 2)
        #expect(store.ignoredWrites == 5)
        store.stateOverride = nil
        #expect(model.count == 5)
        model.increment()
        #expect(model.count == 6)
        #expect(store.ignoredWrites == 5)
    }

    @Test("An override is replaced by another one, and nil is no change without one")
    func several() {
        let store = store(5)
        let seen = Log<Int>()
        let token = store.model.source(of: \.count).subscribe { seen.add($0) }
        store.stateOverride = nil
        store.stateOverride = .init(count: 1)
        #expect(store.stateOverride == .init(count: 1))
        store.stateOverride = .init(count: 2)
        store.stateOverride = nil
        store.stateOverride = nil
        #expect(store.stateOverride == nil)
        #expect(seen.entries == [5, 1, 2, 5])
        withExtendedLifetime(token) {}
    }

    @Test("Tracked readers are notified of an override and of its end, and not of what goes on behind it")
    func tracked() async throws {
        let scheduler = TestScheduler()
        let store = store(5, on: scheduler)
        scheduler.advance()
        let (gate, resolver) = Promise<Void>.pending()
        store.model.task { [model = store.model] in
            try await gate.value
            model.increment()
        }
        scheduler.advance()
        let changes = Log<String>()
        func track(_ name: String) -> Int {
            withObservationTracking {
                store.model.count
            } onChange: {
                changes.add(name)
            }
        }
        #expect(track("first") == 5)
        store.stateOverride = .init(count: 2)
        scheduler.advance()
        #expect(changes.entries == ["first"])
        #expect(track("second") == 2)
        resolver.fulfill(())
        scheduler.advance()
        #expect(changes.entries == ["first"])
        store.stateOverride = nil
        scheduler.advance()
        #expect(changes.entries == ["first", "second"])
        #expect(track("third") == 6)
    }

    @Test("What a model observes itself goes on with the live state, and may write")
    func logic() {
        let scheduler = TestScheduler()
        let store = store(5, on: scheduler)
        scheduler.advance()
        let model = store.model
        model.onChange(of: \.count) { model.state.log += " count \($0)" }
        model.onChange(of: { model.count % 2 == 0 }) { model.state.log += " even \($1)" }
        model.task(id: \.count) { model.state.log += " task \($0)" }
        let (gate, resolver) = Promise<Void>.pending()
        model.task {
            try await gate.value
            model.increment()
        }
        scheduler.advance()
        #expect(model.log == " task 5")
        store.stateOverride = .init(count: 2)
        scheduler.advance()
        resolver.fulfill(())
        scheduler.advance()
        #expect(model.log == "")
        store.stateOverride = nil
        scheduler.advance()
        #expect(model.count == 6)
        #expect(model.log == " task 5 count 6 even true task 6")
    }

    @Test("Models have their states in the override; one that has none there shows its present one")
    func rows() {
        let store = store(5)
        store.model.state.rows = [.init(id: 1, count: 10), .init(id: 2, count: 20), .init(id: 3, count: 30)]
        store.stateOverride = .init(count: 2, rows: [.init(id: 3, count: 33), .init(id: 1, count: 11)])
        #expect(store.model.rows.map(\.count) == [11, 20, 33])
        #expect(store.model.rows.map(\.id) == [1, 2, 3])
        store.model.rows[0].state.count = 0
        store.stateOverride = nil
        #expect(store.model.rows.map(\.count) == [10, 20, 30])
        #expect(store.ignoredWrites == 1)
    }

    @Test("Rows that a task adds and removes behind an override begin and end with their live states")
    func lifetimes() {
        let scheduler = TestScheduler()
        let store = store(5, on: scheduler)
        scheduler.advance()
        let (gate, resolver) = Promise<Void>.pending()
        let model = store.model
        model.state.rows = [.init(id: 1, count: 10)]
        let first = model.rows[0]
        model.task {
            try await gate.value
            model.state.rows = [.init(id: 2, count: 20)]
        }
        scheduler.advance()
        store.stateOverride = .init(count: 2, rows: [.init(id: 1, count: 99)])
        #expect(first.count == 99)
        resolver.fulfill(())
        scheduler.advance()
        #expect(first.count == 10)
        #expect(model.rows.map(\.count) == [20])
        store.stateOverride = nil
        #expect(model.rows.map(\.count) == [20])
    }

    @Test("A delayed initial state arrives behind an override")
    func delayed() {
        let (state, resolver) = Promise<OverriddenPage.State?>.pending()
        let delayed = Store<OverriddenPage?>(delayedInitialState: state, scheduler: .immediate)
        delayed.stateOverride = .some(.some(.init(count: 2)))
        resolver.fulfill(.init(count: 5))
        #expect(delayed.state?.count == 2)
        delayed.stateOverride = .none
        #expect(delayed.state?.count == 5)
    }

    @Test("Records of writes go on behind an override")
    func records() {
        let scheduler = TestScheduler()
        let store = store(5, on: scheduler)
        scheduler.advance()
        let (gate, resolver) = Promise<Void>.pending()
        let log = Log<String>()
        store.onWrite { log.add("\($0.before.count) \($0.after.count)") }
        store.model.task { [model = store.model] in
            try await gate.value
            model.increment()
        }
        scheduler.advance()
        store.stateOverride = .init(count: 2)
        resolver.fulfill(())
        scheduler.advance()
        store.model.increment()
        scheduler.advance()
        #expect(log.entries == ["5 6"])
    }
}

private final class Log<Entry: Sendable>: Sendable {
    private let lock = Lock<[Entry]>([])

    var entries: [Entry] { lock.withLock { $0 } }
    func add(_ entry: Entry) { lock.withLock { $0.append(entry) } }
}
