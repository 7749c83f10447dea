import PromisedModels
import PromisedTesting
import Testing

struct Counter: Model {
    struct State: Equatable { var count = 0 }
    let context: ModelContext<Counter>
    private var state: ModelState<Self> { context.state }
    func increment() { state.count += 1 }
}

struct Row: Model {
    struct State: Equatable, Identifiable {
        var id: Int
        var counter = Counter.State()
        var title = ""
    }
    enum Event: Equatable { case remove }
    let context: ModelContext<Row>
    static let children: [Child<Row>] = [.one(\.counter, Counter.self)]
    private var state: ModelState<Self> { context.state }
    var counter: Counter { child(\.counter) }
    func removeTapped() { send(.remove) }
    func renumber(_ id: Int) { state.id = id }
    func onActivate() { dependency(\.log)("+\(state.id)") }
    func onDeactivate() { dependency(\.log)("-\(state.id)") }
}

struct App: Model {
    struct State: Equatable {
        var rows: [Row.State] = []
        var sheet: Counter.State?
        var sum: Int { rows.reduce(0) { $0 + $1.counter.count } }
    }
    let context: ModelContext<App>
    static let children: [Child<App>] = [.each(\.rows, Row.self), .optional(\.sheet, Counter.self)]
    private var state: ModelState<Self> { context.state }
    var rows: [Row] { children(\.rows) }
    func add(_ id: Int) { state.rows.append(.init(id: id)) }
    func swap() { state.rows.swapAt(0, 1) }
    func onActivate() {
        forEach(events(of: .remove, from: \.rows, Row.self)) { row in
            state.rows.removeAll { $0.id == row.id }
        }
    }
    func both() throws {
        try transaction {
            state.rows[0].title = "a"
            state.rows.append(.init(id: 9))
            throw CancellationError()
        }
    }
}

final class Log: Sendable {
    let all = Mutexed<[String]>([])
}
import Synchronization
final class Mutexed<V: Sendable>: Sendable {
    let m: Mutex<V>
    init(_ v: V) { m = Mutex(v) }
    var value: V { m.withLock { $0 } }
    func change(_ b: (inout V) -> Void) { m.withLock { b(&$0) } }
}
enum LogKey: DependencyKey { static var liveValue: @Sendable (String) -> Void { { _ in } } }
extension DependencyValues {
    var log: @Sendable (String) -> Void { get { self[LogKey.self] } set { self[LogKey.self] = newValue } }
}

@Test func first() throws {
    let log = Mutexed<[String]>([])
    let scheduler = TestScheduler()
    let store = Store<App>(initialState: .init(), scheduler: scheduler) { $0.log = { t in log.change { $0.append(t) } } }
    let app = store.model
    scheduler.advance()
    app.add(1); app.add(2); app.add(3)
    scheduler.advance()
    #expect(log.value == ["+1", "+2", "+3"])
    app.rows[1].counter.increment()
    #expect(store.state.sum == 1)
    app.swap()
    scheduler.advance()
    #expect(log.value == ["+1", "+2", "+3"])
    #expect(app.rows.map(\.id) == [2, 1, 3])
    let two = app.rows[0]
    two.counter.increment()
    #expect(two.counter.count == 2)
    two.removeTapped()
    scheduler.advance()
    #expect(log.value == ["+1", "+2", "+3", "-2"])
    #expect(app.rows.map(\.id) == [1, 3])
    #expect(two.id == 2)
    app.rows[0].renumber(7)
    scheduler.advance()
    #expect(log.value == ["+1", "+2", "+3", "-2", "-1", "+7"])
    #expect(throws: CancellationError.self) { try app.both() }
    #expect(store.state.rows.map(\.title) == ["", ""])
}

@Test func observed() {
    let store = Store<App>(initialState: .init(rows: [.init(id: 1), .init(id: 2)]), scheduler: .immediate)
    let seen = Mutexed<[Int]>([])
    let token = store.model.source(of: \.sum).subscribe { v in seen.change { $0.append(v) } }
    store.model.rows[1].counter.increment()
    store.model.rows[0].counter.increment()
    #expect(seen.value == [0, 1, 2])
    token.cancel()
}

@Test func released() {
    weak var weakStore: Store<App>?
    let log = Mutexed<[String]>([])
    do {
        let store = Store<App>(initialState: .init(rows: [.init(id: 1), .init(id: 2)]), scheduler: .immediate) { $0.log = { t in log.change { $0.append(t) } } }
        weakStore = store
        #expect(store.model.rows.count == 2)
    }
    #expect(weakStore == nil)
    #expect(log.value == ["+1", "+2", "-1", "-2"])
}
