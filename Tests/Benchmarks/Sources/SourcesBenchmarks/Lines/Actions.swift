import PromisedSources
import Synchronization

extension Line {
    static let set = Line(
        id: "s", what: "a state source is set, one subscriber", operations: 1_000_000,
        ours: .onThread("ours") { operations in
            let list = List(count: 10)
            let token = list.eraseToSource().subscribe(replayCurrent: false) { Sink.sum &+= $0.sum }
            let model = list.model
            for _ in 0..<operations { list.model = model }
            token.cancel()
        },
        peers: [
            .onThread("by hand") { operations in
                let list = ByHand(count: 10)
                list.subscribe { Sink.sum &+= $0.sum }
                let model = list.model
                for _ in 0..<operations { list.model = model }
            }
        ], reach: [.within(1.5), .allocations(2)], stretch: [.nanoseconds(150)])

    static let setOfMany = Line(
        id: "s2", what: "the same with a model of 100,000 elements", operations: 1_000_000,
        ours: .onThread("ours") { operations in
            let list = List(count: 100_000)
            let token = list.eraseToSource().subscribe(replayCurrent: false) { Sink.sum &+= $0.sum }
            let model = list.model
            for _ in 0..<operations { list.model = model }
            token.cancel()
        }, reach: [.nanoseconds(150)])

    static let subscribers = Line(
        id: "u", what: "a subscriber of 20,000 is added and removed", operations: 20_000, smallest: 20_000,
        ours: .onThread("ours") { operations in
            for _ in 0..<operations / 20_000 {
                let source = List(count: 10).eraseToSource()
                let tokens = (0..<20_000).map { _ in
                    source.subscribe(replayCurrent: false) { Sink.sum &+= $0.sum }
                }
                for token in tokens { token.cancel() }
            }
        }, reach: [.nanoseconds(2_500)])

    static let call = calls("a", "an action is called, the model has 10 elements", count: 10)
    static let callOfMany = calls("a2", "the same with 100,000 elements", count: 100_000)

    private static func calls(_ id: String, _ what: String, count: Int) -> Line {
        Line(
            id: id, what: what, operations: 1_000_000,
            ours: .onThread("ours") { operations in
                let list = List(count: count)
                let add = list.model.add
                for index in 0..<operations { add(index) }
            },
            peers: [
                .onThread("by hand") { operations in
                    let list = ByHand(count: count)
                    let add = list.model.add
                    for index in 0..<operations { add(index) }
                }
            ], reach: [.nanoseconds(200), .allocations(0)])
    }

    static let read = Line(
        id: "r", what: "an action is read from the model", operations: 1_000_000,
        ours: .onThread("ours") { operations in
            let list = List(count: 10)
            let source = list.eraseToSource()
            for _ in 0..<operations { keep(source.value.add) }
        },
        peers: [
            .onThread("by hand") { operations in
                let list = ByHand(count: 10)
                for _ in 0..<operations { keep(list.model.add) }
            }
        ], reach: [.nanoseconds(50), .allocations(0)])
}

@inline(never) private func keep<Value>(_ value: Value) {}

private final class List: StateSource {
    struct Model: Sendable {
        var sum = 0
        var elements: [Int]
        var add: Action<Int>
    }

    let state = SourceState<Model>()
    private let count: Int
    init(count: Int) { self.count = count }

    var initialModel: Model { Model(elements: Array(0..<count), add: action(List.add, at: \.add, "add")) }
    private func add(_ number: Int) { Sink.sum &+= number }
}

/// The same without the library: a lock, a list of closures, and a closure in the model, whose caller is not checked.
private final class ByHand: Sendable {
    struct Model: Sendable {
        var sum = 0
        var elements: [Int]
        var add: @Sendable (Int) -> Void
    }

    private struct Content: Sendable {
        var model: Model
        var subscribers: [@Sendable (Model) -> Void] = []
    }
    private let content: Mutex<Content>

    init(count: Int) {
        content = Mutex(Content(model: Model(elements: Array(0..<count), add: { _ in })))
        // As a source's action, it does not retain its owner.
        weak let owner = self
        model.add = { if owner != nil { Sink.sum &+= $0 } }
    }

    var model: Model {
        get { content.withLock { $0.model } }
        set {
            let subscribers = content.withLock { content in
                content.model = newValue
                return content.subscribers
            }
            for subscriber in subscribers { subscriber(newValue) }
        }
    }

    func subscribe(_ body: @escaping @Sendable (Model) -> Void) {
        content.withLock { $0.subscribers.append(body) }
    }
}
