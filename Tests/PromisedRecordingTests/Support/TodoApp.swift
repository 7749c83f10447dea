import Promise
import PromisedModels
import PromisedSystem
import PromisedTesting
import TestSupport

/// A models application: a list whose rows ask for prices, send events, and are removed by the list.
struct TodoList: Model {
    struct State: Codable, Hashable {
        var rows: [TodoRow.State] = []
        var title = ""
        var removed = 0
        var total = 0
        var log: [String] = []
    }

    enum Event: Codable, Hashable { case shuffle, clear }

    let context: ModelContext<TodoList>
    static let children: [Child<TodoList>] = [.each(\.rows, TodoRow.self)]
    private var state: ModelState<Self> { context.state }

    static let price = Endpoint<String, Int>("price") { name in
        name.count == 3 ? Promise(error: CancellationError()) : .value(name.count).delay(.milliseconds(3))
    }

    var rows: [TodoRow] { children(\.rows) }

    func onActivate() {
        forEach(events(from: \.rows, TodoRow.self)) { event, row in
            switch event {
            case .remove:
                state.rows.removeAll { $0.id == row.id }
                state.removed += 1
            case .priced(let price): state.total += price
            }
        }
        forEach(events()) { event in
            if event == .shuffle { state.rows.reverse() } else { state.rows = [] }
            trigger(event)
        }
        forEach(values(of: \.title), cancelPrevious: true) { title in
            try await dependency(\.clock).sleep(for: .milliseconds(2))
            state.log = (state.log + ["\(title) \(state.rows.count)"]).suffix(4)
        }
    }
}

struct TodoRow: Model {
    struct State: Codable, Hashable, Identifiable {
        let id: Int
        var name = ""
        var price: Int?
        var shuffles = 0
    }

    enum Event: Codable, Hashable { case remove, priced(Int) }

    let context: ModelContext<TodoRow>
    private var state: ModelState<Self> { context.state }

    func onActivate() {
        forEach(values(of: \.name), cancelPrevious: true) { name in
            guard !name.isEmpty else { return }
            do {
                let price = try await TodoList.price(name).value
                state.price = price
                send(.priced(price))
            } catch {
                state.price = -1
            }
        }
        forEach(triggers(of: TodoList.Event.self)) { _ in state.shuffles += 1 }
    }
}

/// A random session of the application: what a user does, as writes and events from outside.
enum TodoSession {
    static let names = ["", "tea", "rug", "lamp", "mug x", "kettle"]

    static func run(_ store: Store<TodoList>, on scheduler: TestScheduler, seed: UInt64, steps: Int) {
        var generator = SeededGenerator(seed: seed)
        scheduler.advance()
        for step in 0..<steps {
            let choices = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                (Int.random(in: 0..<9, using: &generator), Int.random(in: 0..<100, using: &generator))
            }
            scheduler.schedule { for (choice, number) in choices { act(store.model, step, choice, number) } }
            scheduler.advance(by: .milliseconds(Int.random(in: 0...4, using: &generator)))
        }
        scheduler.advance(by: .seconds(1))
    }

    private static func act(_ list: TodoList, _ step: Int, _ choice: Int, _ number: Int) {
        let rows = list.rows
        let row = rows.isEmpty ? nil : rows[number % rows.count]
        switch choice {
        case 0, 1:
            if rows.count < 6 {
                list.context.state.rows.append(.init(id: step * 1_000 + rows.count, name: names[number % 6]))
            }
        case 2: list.context.state.title = "title \(number % 4)"
        case 3, 4: row?.context.state.name = names[number % 6]
        case 5: row?.send(.remove)
        case 6: list.send(.shuffle)
        case 7: if number < 20 { list.send(.clear) }
        default: row?.context.state.shuffles = 0
        }
    }
}
