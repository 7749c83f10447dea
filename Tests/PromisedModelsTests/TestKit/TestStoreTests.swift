import Foundation
import Promise
import PromisedModelsTesting
import Testing

struct TestStoreTests {
    @Test("OS-53: built-in dependencies are the same in every run, and dates follow the virtual time")
    func dependencies() {
        func values() -> [String] {
            let test = TestStore<Counter>(initialState: .init(), exhaustivity: .off)
            let model = test.model.model
            var random = model.dependency(\.random)
            test.advance(by: .milliseconds(1500))
            return [
                "\(model.dependency(\.date)().timeIntervalSince1970)", model.dependency(\.uuid)().uuidString,
                model.dependency(\.uuid)().uuidString, "\(random.next())",
            ]
        }
        let first = values()
        #expect(
            first.dropLast() == [
                "1.5", "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001",
            ])
        #expect(values() == first)
    }

    @Test("OS-58: a test that does not account for states asserts the present ones, and only what it sets")
    func notExhaustive() {
        let reports = TestReport.collect {
            let test = TestStore<Counter>(initialState: .init(), exhaustivity: .off)
            test.model.perform { $0.state.update { ($0.count, $0.other) = (1, 2) } }
            test.model.assert { $0.count = 1 }
            test.model.perform { $0.state.update { ($0.count, $0.other) = (3, 4) } }
            test.assert { $0.other = 4 }
            test.model.assert { $0.count = 5 }
            test.finish()
        }
        #expect(reports.count == 1)
        #expect(reports.first?.message.contains("count: 5 → 3") == true)
    }

    @Test("OS-47: a test overrides the built-in dependencies, before the first activation")
    func overrides() {
        let date = Date(timeIntervalSince1970: 7)
        let test = TestStore<Counter>(initialState: .init(), exhaustivity: .off) { values in
            (values.date, values.random) = (.constant(date), .seeded(9))
        }
        let model = test.model.model
        #expect(model.dependency(\.date)() == date)
        var (random, expected) = (model.dependency(\.random), RandomSource.seeded(9))
        #expect(random.next() == expected.next())
        #expect(model.dependency(\.uuid)().uuidString.hasSuffix("0000"))
    }

    @Test("OS-58: the models at the root of an array or an optional are models under test")
    func roots() throws {
        let reports = TestReport.collect {
            let rows = TestStore<[Row]>(initialState: [.init(id: 1), .init(id: 2)])
            let two = rows.testModel(rows.store.model[1])
            two.perform { $0.state.title = "b" }
            two.assert { $0.title = "b" }
            two.child(\.counter).perform { $0.increment() }
            two.child(\.counter).assert(\.count, 1)
            two.perform { $0.send(.remove) }
            two.receive(.remove)
            rows.finish()
            let counter = TestStore<Counter?>(initialState: nil)
            counter.store.replace(.init())
            counter.assert { $0 = .init() }
            let model = counter.store.model.map { counter.testModel($0) }
            model?.perform { $0.increment() }
            model?.assert { $0.count = 1 }
            #expect(model?.count == 1)
            counter.finish()
        }
        #expect(reports.map(\.message) == [])
    }

    @Test("OS-53: the whole state can be asserted; a difference is one failure")
    func whole() {
        let reports = TestReport.collect {
            let test = TestStore<[Row]>(initialState: [])
            test.store.replace([.init(id: 1, title: "a")])
            test.assert { $0 = [.init(id: 1, title: "b")] }
            test.finish()
        }
        #expect(
            reports.map(\.message) == [
                """
                The state of the store is not as expected. From what was expected to what it is:

                    [0].title: "b" → "a"
                """
            ])
    }

    @Test(
        "OS-32, OS-53: an optional child of another identity is another model, which its parent has to be asserted to have"
    )
    func anotherIdentity() {
        let reports = TestReport.collect {
            let test = TestStore<Desk>(initialState: .init(row: .init(id: 1, title: "a")))
            test.model.perform { $0.context.state.row = .init(id: 2) }
            let row = test.model.child { $0.row! }
            row.assert { $0.title = "" }
            row.child(\.counter).assert(\.count, 0)
            test.model.assert { $0.row = .init(id: 2) }
            row.perform { $0.state.title = "b" }
            row.assert { $0.title = "b" }
            test.finish()
        }
        #expect(reports.map(\.message) == [])
    }

    @Test("OS-53: the state of a removed model cannot be asserted, and the failure says what to assert")
    func removed() {
        let reports = TestReport.collect {
            let test = TestStore<App>(initialState: .rows(1))
            let row = test.model.child { $0.rows[0] }
            test.model.perform { $0.state.rows = [] }
            row.assert { $0.title = "" }
            row.assert(\.title, "x")
            test.model.assert { $0.rows = [] }
            test.finish()
        }
        let message = """
            This Row was removed, so its state cannot be asserted.

            Assert that its parent, or the store, no longer has it.
            """
        #expect(reports.map(\.message) == [message, message])
    }

    @Test("OS-53: the state of a model of another store cannot be asserted")
    func anotherStore() {
        let reports = TestReport.collect {
            let test = TestStore<App>(initialState: .init())
            let other = Counter(initialState: .init(), scheduler: test.scheduler)
            test.model.child { _ in other }.assert { $0.count = 1 }
            test.finish()
        }
        #expect(
            reports.map(\.message) == [
                """
                This Counter belongs to another store, so its state cannot be asserted here.

                Create a TestStore for it.
                """
            ])
    }
}

struct Desk: Model {
    struct State: Equatable { var row: Row.State? }
    let context: ModelContext<Desk>
    static let children: [Child<Desk>] = [.optional(\.row, Row.self)]

    var row: Row? { optionalChild(\.row) }
}
