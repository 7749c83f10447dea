import Foundation
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// A change in place of a value that is written through a handle is one step, on any thread.
@Suite(.tags(.sharedState)) struct AtomicUpdateTests {
    private static let count = ModelProperty(0)

    private struct Dial: Model {
        struct State: Equatable { @Writable var count = 0 }
        let context: ModelContext<Dial>
    }

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

    @Test("OS-18, OS-22, OS-50, OS-51: no other thread writes during a change in place", arguments: 0..<4)
    func slow(kind: Int) {
        @Sendable func increment(_ count: inout Int) {
            let next = count + 1
            for _ in 0..<10 { sched_yield() }
            count = next
        }
        let dial = Store<Dial>(initialState: .init(), scheduler: .immediate).model
        let (view, property) = (dial.context.view(\.count), dial.property(Self.count))
        let (each, threads) = (rounds(200, stress: 2_000), 4)
        race(
            each,
            Array(
                repeating: { _ in
                    switch kind {
                    case 0: increment(&dial.$count.value)
                    case 1: increment(&view.value)
                    case 2: increment(&property.value)
                    default: increment(&dial.context.state.count)
                    }
                }, count: threads))
        #expect((kind == 2 ? property.value : dial.count) == each * threads)
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
        let dial = Store<Dial>(initialState: .init(), scheduler: .immediate).model
        let binding = dial.binding(\.count) { _ in Issue.record("was set") }
        #expect(throws: Failure.self) { try change(&property.value) }
        #expect(throws: Failure.self) { try change(&dial.$count.value) }
        #expect(throws: Failure.self) { try change(&binding.value) }
        #expect(dial.count == 0)
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
