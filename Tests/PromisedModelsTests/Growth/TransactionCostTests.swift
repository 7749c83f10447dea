import Dispatch
import PromisedModels
import PromisedTesting
import Synchronization
import TestSupport
import Testing

/// A transaction writes in place, and others see nothing of it until it ends.
@Suite(.tags(.sharedState), .serialized) struct TransactionCostTests {
    /// A container that counts how often it is copied, because it was changed while a copy of it was there.
    struct Shelf: StateContainer, Equatable {
        static let copies = Atomic(0)

        private final class Content: Sendable {
            let rows: Mutex<[Int: Row.State]>
            init(_ rows: [Int: Row.State]) { self.rows = Mutex(rows) }
        }
        private var content: Content

        init(_ ids: Range<Int>) {
            content = Content(Dictionary(uniqueKeysWithValues: ids.map { ($0, Row.State(id: $0)) }))
        }

        private var rows: [Int: Row.State] { content.rows.withLock { $0 } }
        var elementIDs: [Int] { rows.keys.sorted() }
        subscript(elementID id: Int) -> Row.State? {
            get { rows[id] }
            set {
                guard rows[id] != nil else { return }
                if !isKnownUniquelyReferenced(&content) {
                    Self.copies.add(1, ordering: .relaxed)
                    content = Content(rows)
                }
                content.rows.withLock { $0[id] = newValue }
            }
        }
        static func elementID(of row: borrowing Row.State) -> Int? { row.id }
        static func == (left: Shelf, right: Shelf) -> Bool { left.rows == right.rows }
    }

    struct Library: Model {
        struct State: Equatable {
            var shelf = Shelf(0..<100)
            var total = 0
        }
        let context: ModelContext<Library>
        static let children: [Child<Library>] = [.each(\.shelf, Row.self)]
    }

    private static func copies(_ body: () -> Void) -> Int {
        Shelf.copies.store(0, ordering: .relaxed)
        body()
        return Shelf.copies.load(ordering: .relaxed)
    }

    @Test("A transaction that writes to one row and to its list copies no container")
    func inPlace() {
        let fixture = Fixture<Library>(.init())
        let library = fixture.model
        guard let row: Row = library.child(\.shelf, id: 50) else { return }
        let count = Self.copies {
            library.transaction {
                row.state.title = "a"
                library.context.state.total += 1
                row.counter.increment()
            }
        }
        #expect(count == 0)
        #expect(row.title == "a" && library.total == 1 && row.counter.count == 1)
    }

    @Test("A transaction that throws has undone everything in place")
    func undone() {
        let fixture = Fixture<Library>(.init())
        let library = fixture.model
        guard let row: Row = library.child(\.shelf, id: 50) else { return }
        let before = fixture.store.state
        let count = Self.copies {
            try? library.transaction {
                row.counter.increment()
                row.counter.increment()
                library.context.state.total += 1
                throw Failure()
            }
        }
        #expect(count == 1)  // `before` is a copy
        #expect(fixture.store.state == before)
    }

    @Test(
        "Others see the state before a transaction, whatever it writes, and then all of it or nothing",
        arguments: 1...20)
    func isolation(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let fixture = Fixture<App>(.rows(1, 2, 3))
        let (store, app) = (fixture.store, fixture.model)
        for _ in 0..<rounds(20, stress: 500) {
            let rows = app.rows
            let before = store.state
            var expected = before
            let throwing = Bool.random(using: &random)
            try? app.transaction {
                for _ in 0..<5 {
                    let kept = expected
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        try? app.transaction {
                            edit(app, store, rows, &expected, &random)
                            throw Failure()
                        }
                        expected = kept
                    } else {
                        edit(app, store, rows, &expected, &random)
                    }
                    #expect(store.state == expected)
                    if Bool.random(using: &random) {
                        #expect(elsewhere { store.state } == before)
                        #expect(elsewhere { rows.map(\.counter.count) } == before.rows.map(\.counter.count))
                        #expect(elsewhere { app.title } == before.title)
                    }
                }
                if throwing { throw Failure() }
            }
            #expect(store.state == (throwing ? before : expected))
            #expect(app.rows.map(\.id) == store.state.rows.map(\.id))
            #expect(elsewhere { store.state } == store.state)
            fixture.scheduler.advance()
        }
    }

    /// Makes one of the writes that there are, and the same to a plain state.
    private func edit(
        _ app: App, _ store: Store<App>, _ rows: [Row], _ state: inout App.State,
        _ random: inout SeededGenerator
    ) {
        let number = Int.random(in: 1..<1_000, using: &random)
        let row = rows.randomElement(using: &random)
        let place = row.flatMap { row in state.rows.firstIndex { $0.id == row.nonObservableState.id } }
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            app.state.title = "\(number)"
            state.title = "\(number)"
        case 1:
            guard let row, let place else { return }
            row.state.title = "\(number)"
            state.rows[place].title = "\(number)"
        case 2:
            guard let row, let place else { return }
            row.counter.state.update { $0 = .init(count: number) }
            state.rows[place].counter = .init(count: number)
        case 3:
            app.state.rows.reverse()
            state.rows.reverse()
        case 4:
            app.state.rows.append(Row.State(id: 1_000 + number))
            state.rows.append(Row.State(id: 1_000 + number))
            if Set(state.rows.map(\.id)).count < state.rows.count {
                app.state.rows.removeLast()
                state.rows.removeLast()
            }
        case 5:
            app.state.update { $0.rows = Array($0.rows.prefix(4)) }
            state.rows = Array(state.rows.prefix(4))
        case 6:
            app.state.sheet = state.sheet == nil ? .init(count: number) : nil
            state.sheet = state.sheet == nil ? .init(count: number) : nil
        default:
            state.title = "whole \(number)"
            store.replace(state)
        }
    }

    /// Reads on another thread.
    private func elsewhere<Value: Sendable>(_ read: @escaping @Sendable () -> Value) -> Value? {
        let (result, isDone) = (Box<Value?>(nil), DispatchSemaphore(value: 0))
        DispatchQueue.global().async {
            result.value = read()
            isDone.signal()
        }
        isDone.wait()
        return result.value
    }

    @Test("The record of a transaction has the state before its first write, if records are kept")
    func record() {
        let fixture = Fixture<App>(.rows(1))
        let notes = fixture.notes
        let token = fixture.store.onWrite { record in
            notes.add("\(record.change): \(record.before.title)→\(record.after.title)")
        }
        let heard = fixture.after { app in
            app.transaction {
                app.state.title = "a"
                app.state.title = "b"
            }
            try? app.transaction {
                app.state.title = "c"
                throw Failure()
            }
            app.state.title = "d"
        }
        #expect(heard == ["App: →b", "title: b→d"])
        token.cancel()
    }
}
