import Promise
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// What is used wrongly is reported once, and never stops the program.
@Suite(.tags(.sharedState)) struct MisuseTests {
    init() { Reports.begin() }

    @Test("A write to a removed state is ignored and reported once")
    func removedState() {
        struct Lost: Model {
            struct State: Equatable, Identifiable { let id: Int, text = "", next = "" }
            let context: ModelContext<Lost>
        }
        let fixture = Fixture<[Lost]>([.init(id: 1)])
        let lost = fixture.model[0]
        fixture.store.replace([])
        lost.context.state.update { _ in }
        lost.context.state.update { _ in }
        fixture.scheduler.advance()
        #expect(Reports.about("A Lost wrote").count == 1)
        #expect(lost.id == 1)
    }

    @Test("A write after the store was released is ignored and reported")
    func releasedStore() {
        struct Orphan: Model {
            struct State: Equatable { var count = 0 }
            let context: ModelContext<Orphan>
            func kept() -> Orphan { Orphan(context: context) }
        }
        var model: Orphan?
        do {
            let store = Store<Optional<Orphan>>(initialState: .init(.init(count: 3)), scheduler: .immediate)
            model = store.model
            store.replace(nil)
        }
        model?.context.state.count = 4
        #expect(model?.count == 3)
        #expect(Reports.about("A Orphan wrote").count == 1)
    }

    @Test("A child that is not listed begins when it is used, and is reported once")
    func undeclared() {
        struct Careless: Model {
            struct State: Equatable {
                var inner = Counter.State()
                var rows = [Row.State(id: 1)]
                var sheet: Counter.State?
            }
            let context: ModelContext<Careless>
            var inner: Counter { child(\.inner) }
            var rows: [Row] { children(\.rows) }
            var sheet: Counter? { optionalChild(\.sheet) }
        }
        let fixture = Fixture<Careless>(.init())
        #expect(fixture.notes.value == [])
        fixture.model.inner.increment()
        #expect(fixture.after { $0.inner.increment() } == ["+counter"])
        #expect(fixture.store.state.inner.count == 2)
        #expect(fixture.after { _ = $0.rows } == ["+row 1", "+counter"])
        #expect(fixture.after { $0.context.state.rows = [] } == ["-counter", "-row 1"])
        #expect(fixture.model.sheet == nil)
        #expect(fixture.after { $0.context.state.sheet = .init() } == ["+counter"])
        #expect(Reports.about("of a Careless was used as a child").count == 3)
    }

    @Test("The second of two elements with one identity has no model, which is reported")
    func duplicates() {
        struct Twin: Model {
            struct State: Equatable, Identifiable { let id: Int, name: String }
            let context: ModelContext<Twin>
            func onActivate() { note(context.state.name) }
        }
        struct Twins: Model {
            struct State: Equatable { var all: [Twin.State] }
            let context: ModelContext<Twins>
            static let children: [Child<Twins>] = [.each(\.all, Twin.self)]
            var all: [Twin] { children(\.all) }
        }
        let fixture = Fixture<Twins>(
            .init(all: [.init(id: 1, name: "a"), .init(id: 1, name: "b"), .init(id: 2, name: "c")]))
        #expect(fixture.notes.value == ["a", "c"])
        #expect(fixture.model.all.map(\.name) == ["a", "c"])
        #expect(Reports.about("Two states of Twin").count == 1)
    }

    @Test("An identity that is not equal to itself has no model, which is reported")
    func notANumber() {
        struct Measured: Model {
            struct State: Equatable, Identifiable { let id: Double }
            let context: ModelContext<Measured>
        }
        struct Scale: Model {
            struct State: Equatable { var all: [Measured.State] }
            let context: ModelContext<Scale>
            static let children: [Child<Scale>] = [.each(\.all, Measured.self)]
            var all: [Measured] { children(\.all) }
        }
        let fixture = Fixture<Scale>(.init(all: [.init(id: 1), .init(id: .nan)]))
        #expect(fixture.model.all.map(\.id) == [1])
        #expect(Reports.about("states of Measured").count == 1)
    }

    @Test("A transaction in a transaction is a part of it, undoes only its own writes, and is reported")
    func nestedTransaction() throws {
        struct Nested: Model {
            struct State: Equatable {
                var one = 0
                var two = 0
            }
            let context: ModelContext<Nested>
        }
        let fixture = Fixture<Nested>(.init())
        let state = fixture.model.context.state
        fixture.model.transaction {
            state.one = 1
            try? fixture.model.transaction {
                state.two = 2
                throw Failure()
            }
        }
        #expect(fixture.store.state == .init(one: 1, two: 0))
        fixture.scheduler.advance()
        #expect(Reports.about("A Nested began a transaction").count == 1)
    }

    @Test("A derived property that writes changes nothing, which is reported")
    func derivedWrite() {
        final class Back: Sendable {
            let write = Box<@Sendable () -> Void>({})
        }
        struct Derived: Model {
            struct State: Sendable {
                var count = 0
                let back: Back
                var sum: Int {
                    back.write.value()
                    return count
                }
            }
            let context: ModelContext<Derived>
        }
        let back = Back()
        let fixture = Fixture<Derived>(.init(back: back))
        let token = fixture.model.source(of: \.sum).subscribe { _ in }
        back.write.value = { [state = fixture.model.context.state] in state.count = 100 }
        fixture.model.context.state.count = 1
        back.write.value = {}
        fixture.scheduler.advance()
        #expect(fixture.store.state.count == 1)
        #expect(Reports.about("the state of a Derived").count == 1)
        token.cancel()
    }

    @Test(
        "A property that is passed inout to an asynchronous function blocks nothing on the scheduler, which is reported"
    )
    func suspendedWrite() {
        struct Slow: Model {
            struct State: Equatable {
                var count = 0
                var other = 0
            }
            let context: ModelContext<Slow>
            func add(_ number: Promise<Int>) {
                task { [state = context.state] in try await Slow.add(number, to: &state.count) }
            }
            static func add(_ number: Promise<Int>, to count: inout Int) async throws {
                count += try await number.value
            }
        }
        let fixture = Fixture<Slow>(.init(count: 2))
        let (number, resolver) = Promise<Int>.pending()
        let state = fixture.model.context.state
        fixture.model.add(number)
        fixture.scheduler.advance()
        fixture.scheduler.schedule(after: .zero) {
            state.other = 5
            state.count = 5
            state.count += 1
        }
        fixture.scheduler.advance()
        #expect(fixture.store.state == .init(count: 6, other: 5))
        resolver.fulfill(1)
        fixture.scheduler.advance()
        #expect(fixture.store.state == .init(count: 3, other: 5))
        state.count = 7
        #expect(fixture.store.state.count == 7)
        #expect(Reports.about("A Slow passed a property").count == 1)
        fixture.scheduler.finish()
    }

    @Test(
        "A property is passed inout to an asynchronous function that also writes: writers on the scheduler go on"
    )
    func suspendedWriterThatWrites() {
        struct Filling: Model {
            struct State: Equatable {
                var rows: [Int] = []
                var title = ""
            }
            let context: ModelContext<Filling>
            func fill(_ answer: Promise<Int>) {
                task { [state = context.state] in
                    try await fill(&state.rows, answer)
                }
            }
            private func fill(_ rows: inout [Int], _ answer: Promise<Int>) async throws {
                context.state.title = "loading"
                rows.append(try await answer.value)
            }
        }
        let fixture = Fixture<Filling>(.init())
        let (answer, resolver) = Promise<Int>.pending()
        fixture.after { $0.fill(answer) }
        let state = fixture.model.context.state
        fixture.scheduler.schedule(after: .zero) { state.title = "other" }
        fixture.scheduler.advance()
        #expect(fixture.store.state.title == "other")
        resolver.fulfill(1)
        fixture.scheduler.advance()
        #expect(fixture.store.state == .init(rows: [1], title: "other"))
        fixture.scheduler.finish()
    }

    @Test("A container that has identities without states has no models for them")
    func lostElements() {
        struct Holes: StateContainer, Equatable {
            var elementIDs: [Int] { [1, 2] }
            subscript(elementID id: Int) -> Counter.State? {
                get { id == 1 ? .init() : nil }
                set {}
            }
        }
        struct Sieve: Model {
            struct State: Equatable { var holes = Holes() }
            let context: ModelContext<Sieve>
            static let children: [Child<Sieve>] = [.each(\.holes, Counter.self)]
        }
        let fixture = Fixture<Sieve>(.init())
        let all: [Counter] = fixture.model.children(\.holes)
        #expect(all.count == 1)
        #expect(Reports.about("A container of states of Counter").count == 1)
    }

    @Test(
        "OS-11: an element whose state goes while its identity is listed ends, and begins again with its state"
    )
    func lostAndFound() {
        struct Bird: Model {
            struct State: Equatable { var count = 0 }
            let context: ModelContext<Bird>
            func onActivate() { note("+bird") }
            func onDeactivate() { note("-bird") }
        }
        struct Hollow: StateContainer, Equatable {
            var keys = [1, 2]
            var values: [Int: Bird.State] = [2: .init()]
            var elementIDs: [Int] { keys }
            subscript(elementID id: Int) -> Bird.State? {
                get { values[id] }
                set { values[id] = newValue }
            }
        }
        struct Tree: Model {
            struct State: Equatable { var hollow = Hollow() }
            let context: ModelContext<Tree>
            static let children: [Child<Tree>] = [.each(\.hollow, Bird.self)]
            var state: ModelState<Self> { context.state }
            var all: [Bird] { children(\.hollow) }
        }
        let fixture = Fixture<Tree>(.init())
        let second = fixture.model.all[0]
        #expect(fixture.after { $0.state.hollow.values[1] = .init(count: 1) } == ["+bird"])
        #expect(fixture.model.all.map(\.count) == [1, 0] && second.context.isActive)
        #expect(fixture.after { $0.state.hollow.values[2] = nil } == ["-bird"])
        #expect(fixture.model.all.map(\.count) == [1] && !second.context.isActive)
    }
}
