import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// A change in place of a value that is written through a handle is one step, on any thread.
@Suite(.tags(.sharedState)) struct AtomicUpdateTests {
    private static let count = ModelProperty(0)

    @Test("OS-22, OS-50, OS-51: no update through a handle is lost", arguments: 0..<5)
    func threads(kind: Int) {
        let store = Store<App>(initialState: .rows(1), scheduler: .immediate)
        let row = store.model.rows[0]
        let view = row.context.view(\.counter)
        let sheet = store.model.context.view(\.sheet)
        store.model.state.sheet = .init()
        let increment: @Sendable (Int) -> Void = { _ in
            switch kind {
            case 0: view.count.value += 1
            case 1: view.value.count += 1
            case 2: row.property(Self.count).value += 1
            case 3: sheet.count.value? += 1
            default: row.counter.state.count += 1
            }
        }
        let (each, threads) = (rounds(2_000, stress: 20_000), 8)
        race(each, Array(repeating: increment, count: threads))
        let found =
            kind == 2
            ? row.property(Self.count).value
            : kind == 3 ? store.state.sheet?.count : store.state.rows[0].counter.count
        #expect(found == each * threads)
    }

    @Test("OS-51: a change in place that throws changes nothing")
    func failure() throws {
        func change(_ value: inout Int) throws {
            value = 5
            throw Failure()
        }
        let fixture = Fixture<Counter>(.init())
        let view = fixture.model.context.view(\.count)
        let property = fixture.model.property(Self.count)
        #expect(throws: Failure.self) { try change(&view.value) }
        #expect(throws: Failure.self) { try change(&property.value) }
        #expect(view.value == 0)
        #expect(property.value == 0)
    }

    @Test("OS-50, OS-51: a change in place is delivered once, with what it has led to")
    func delivery() {
        let fixture = Fixture<Counter>(.init())
        let (counter, notes) = (fixture.model, fixture.notes)
        let view = counter.context.view(\.count)
        let property = counter.property(Self.count)
        counter.forEach(view.values) { notes.add("view \($0)") }
        counter.forEach(property.values) { notes.add("property \($0)") }
        fixture.scheduler.advance()
        #expect(fixture.after { _ in view.value += 2 } == ["view 2"])
        #expect(fixture.after { _ in property.value += 3 } == ["property 3"])
    }
}
