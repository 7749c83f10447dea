import Promise
import PromisedModels
import PromisedTesting
import Synchronization

/// The models of most tests: an application with rows, each of which has a counter, and a sheet.
struct App: Model {
    struct State: Hashable {
        var rows: [Row.State] = []
        var sheet: Counter.State?
        var title = ""
        var sum: Int { rows.reduce(0) { $0 + $1.counter.count } }
    }

    let context: ModelContext<App>
    static let children: [Child<App>] = [.each(\.rows, Row.self), .optional(\.sheet, Counter.self)]
    var state: ModelState<Self> { context.state }

    var rows: [Row] { children(\.rows) }
    var sheet: Counter? { optionalChild(\.sheet) }

    func onActivate() { note("+app") }
    func onDeactivate() { note("-app") }
}

struct Row: Model {
    struct State: Hashable, Identifiable {
        var id: Int
        var counter = Counter.State()
        var title = ""
    }

    enum Event: Equatable { case remove, rename(String) }

    let context: ModelContext<Row>
    static let children: [Child<Row>] = [.one(\.counter, Counter.self)]
    var state: ModelState<Self> { context.state }

    var counter: Counter { child(\.counter) }

    func onActivate() { note("+row \(state.id)") }
    func onDeactivate() { note("-row \(state.id)") }
}

struct Counter: Model {
    struct State: Hashable {
        var count = 0
        var other = 0
    }

    enum Event: Equatable { case tapped }

    let context: ModelContext<Counter>
    var state: ModelState<Self> { context.state }

    func increment() { state.count += 1 }
    func onActivate() { note("+counter") }
    func onDeactivate() { note("-counter") }
}

/// What models note in the tests.
final class Notes: Sendable {
    private let all = Mutex<[String]>([])

    var value: [String] { all.withLock { $0 } }
    func add(_ text: String) { all.withLock { $0.append(text) } }

    /// Returns the notes and forgets them.
    func take() -> [String] {
        all.withLock { all in
            defer { all = [] }
            return all
        }
    }
}

enum NotesKey: DependencyKey {
    static var liveValue: Notes { Notes() }
}

/// A model that others share.
enum SettingsKey: DependencyKey {
    static var liveValue: Counter { Counter(initialState: .init()) }
}

extension DependencyValues {
    var notes: Notes {
        get { self[NotesKey.self] }
        set { self[NotesKey.self] = newValue }
    }
}

extension Model {
    func note(_ text: String) { dependency(\.notes).add(text) }
}

/// A store with a test scheduler, whose models have been activated.
struct Fixture<Root: StoreRoot> {
    let scheduler = TestScheduler()
    let notes = Notes()
    let store: Store<Root>

    init(_ state: Root.RootState, dependencies: (inout DependencyValues) -> Void = { _ in }) {
        let notes = notes
        store = Store(initialState: state, scheduler: scheduler) { values in
            values.notes = notes
            dependencies(&values)
        }
        scheduler.advance()
    }

    var model: Root { store.model }

    /// Performs a step, runs what is due, and returns what the models have noted since.
    @discardableResult
    func after(_ step: (Root) throws -> Void) rethrows -> [String] {
        _ = notes.take()
        try step(model)
        scheduler.advance()
        return notes.take()
    }
}

extension App.State {
    static func rows(_ ids: Int...) -> App.State { App.State(rows: ids.map { Row.State(id: $0) }) }
}

/// A value that several closures change.
final class Box<Value: Sendable>: Sendable {
    private let content: Mutex<Value>

    init(_ value: Value) { content = Mutex(value) }

    var value: Value {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }

    func change(_ body: (inout Value) -> Void) { content.withLock { body(&$0) } }
}
