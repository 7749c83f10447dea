import PromisedModels
import PromisedSources
import PromisedSystem

// Does one thing a number of times, so that the functions that it calls are those that a coverage of two runs tells
// apart: `ways event 2`.

struct Shop: Sendable {
    var name = "shop"
    var pieces = Array(repeating: 0, count: 8)
    var rows = (0..<3).map(String.init)
    var total = 0
}

/// An event of a part, with an observer of that part and a feedback.
func sendEvents(_ count: Int) {
    enum Event: Sendable { case add(Int) }
    let total = Scope<Shop, Event, Int, Int>(
        state: \.total,
        event: CasePath(embed: Event.add) { if case .add(let number) = $0 { number } else { nil } })
    let adding = Reducer<Int, Int> { $0 += $1 }
    let noting = Feedback<Shop, Event>.onEvent({
        if case .add(let number) = $0, number < 0 { number } else { nil }
    }) {
        (_: Int) in Effect<Event>.none
    }
    let system = System(
        initialState: Shop(), scheduler: .immediate, reducer: adding.lifted(by: total), feedbacks: [noting])
    let token = system.scoped(by: total).settled.subscribe { precondition($0 >= 0) }
    for _ in 0..<count { system.sendEvent(.add(1)) }
    precondition(system.state.total == count)
    token.cancel()
}

/// A property of a model in a list, with an observer.
struct Row: Model {
    struct State: Equatable, Identifiable {
        let id: Int
        var count = 0
    }
    let context: ModelContext<Row>

    func increment() { context.state.count += 1 }
}

struct Rows: Model {
    struct State: Equatable { var rows = (0..<3).map { Row.State(id: $0) } }
    let context: ModelContext<Rows>
    static let children: [Child<Rows>] = [.each(\.rows, Row.self)]

    var rows: [Row] { children(\.rows) }
}

func write(_ count: Int) {
    let store = Store<Rows>(initialState: .init(), scheduler: .immediate)
    let row = store.model.rows[1]
    let token = row.source(of: \.count).subscribe { precondition($0 >= 0) }
    for _ in 0..<count { row.increment() }
    precondition(row.count == count)
    token.cancel()
}

/// A value and an action of a source, with a subscriber.
final class Counter: StateSource {
    struct Model: Sendable {
        var count = 0
        var add: Action<Int>
    }

    let state = SourceState<Model>()
    var initialModel: Model { Model(add: action(Counter.add, at: \.add, "add")) }
    private func add(_ number: Int) { model.count += number }
}

func set(_ count: Int) {
    let counter = Counter()
    let token = counter.eraseToSource().subscribe { precondition($0.count >= 0) }
    for _ in 0..<count { counter.model.count += 1 }
    precondition(counter.model.count == count)
    token.cancel()
}

func act(_ count: Int) {
    let counter = Counter()
    let token = counter.eraseToSource().subscribe { precondition($0.count >= 0) }
    let add = counter.model.add
    for _ in 0..<count { add(1) }
    precondition(counter.model.count == count)
    token.cancel()
}

let count = Int(CommandLine.arguments[2]) ?? 1
switch CommandLine.arguments[1] {
case "event": sendEvents(count)
case "write": write(count)
case "set": set(count)
case "action": act(count)
default: fatalError("ways event|write|set|action COUNT")
}
