import Observation
import PromisedModels
import PromisedSystem
import PromisedTesting
import Testing

/// A handle that is held is used again, after a subscription to it was cancelled and the value has changed.
struct SecondRoundTests {
    static let volume = ModelProperty(0)

    /// The sources of a number, held, and what changes it.
    private static let handles: [@Sendable (App) -> (source: Source<Int>, set: @Sendable (Int) -> Void)] = [
        { app in (app.rows[1].counter.source(of: \.count), { app.rows[1].counter.state.count = $0 }) },
        { app in (app.source(of: \.sum), { app.rows[1].counter.state.count = $0 }) },
        { app in
            let view = app.rows[1].counter.context.view(\.count)
            return (view.source, { view.value = $0 })
        },
        { app in
            let reader = app.rows[1].context.reader(\.counter).count
            return (reader.source, { app.rows[1].counter.state.count = $0 })
        },
        { app in
            let row = app.rows[1]
            return (row.source(of: \.counter).map(\.count), { row.counter.state.count = $0 })
        },
    ]

    @Test("OS-26, OS-51: subscribe, cancel, change, subscribe again", arguments: handles.indices)
    func source(handle: Int) {
        let fixture = Fixture<App>(.rows(1, 2, 3))
        let (source, set) = Self.handles[handle](fixture.model)
        let seen = Box<[Int]>([])
        for round in 1...3 {
            seen.value = []
            let token = source.subscribe { value in seen.change { $0.append(value) } }
            fixture.scheduler.advance()
            set(10 * round)
            fixture.scheduler.advance()
            token.cancel()
            set(10 * round + 1)
            fixture.scheduler.advance()
            #expect(seen.value == [round == 1 ? 0 : 10 * round - 9, 10 * round])
            #expect(source.value == 10 * round + 1)
        }
    }

    @Test("OS-26, OS-51: the same without the present value", arguments: handles.indices)
    func laterValues(handle: Int) {
        let fixture = Fixture<App>(.rows(1, 2, 3))
        let (source, set) = Self.handles[handle](fixture.model)
        let seen = Box<[Int]>([])
        for round in 1...3 {
            let token = source.subscribe(replayCurrent: false) { value in seen.change { $0.append(value) } }
            set(round)
            fixture.scheduler.advance()
            token.cancel()
            set(-round)
            fixture.scheduler.advance()
        }
        #expect(seen.value == [1, 2, 3])
    }

    @Test("OS-14: a property is tracked again, in the second round and the third", arguments: [false, true])
    func tracking(isOfSlot: Bool) {
        let fixture = Fixture<App>(.rows(1, 2))
        let app = fixture.model
        let count = Box(0)
        for round in 1...3 {
            withObservationTracking {
                if isOfSlot { _ = app.rows.count } else { _ = app.rows[1].title }
            } onChange: {
                count.change { $0 += 1 }
            }
            for step in 0..<2 {
                if isOfSlot { app.state.rows.append(.init(id: 10 * round + step)) }
                app.rows[1].state.title = "\(round) \(step)"
                fixture.scheduler.advance()
            }
            #expect(count.value == round)
        }
    }

    @Test(
        "OS-21: of two observers of records, the second goes on when the first is cancelled, and the reverse")
    func records() {
        for first in [0, 1] {
            let fixture = Fixture<Counter>(.init())
            let seen = Box<[String]>([])
            let tokens = (0..<2).map { number in
                fixture.store.onWrite { record in
                    seen.change { $0.append("\(number): \(record.before.count) \(record.after.count)") }
                }
            }
            let lines = Box<[String]>([])
            let printed = (0..<2).map { number in
                fixture.store.printChanges { text in lines.change { $0.append("\(number): \(text)") } }
            }
            fixture.after { $0.increment() }
            #expect(seen.value == ["0: 0 1", "1: 0 1"])
            #expect(lines.value == ["0: count: count: 0 → 1", "1: count: count: 0 → 1"])
            (seen.value, lines.value) = ([], [])
            tokens[first].cancel()
            printed[first].cancel()
            fixture.after { $0.increment() }
            #expect(seen.value == ["\(1 - first): 1 2"])
            #expect(lines.value == ["\(1 - first): count: count: 1 → 2"])
            tokens[1 - first].cancel()
            printed[1 - first].cancel()
            fixture.after { $0.increment() }
            #expect(seen.value.count == 1 && lines.value.count == 1)
            let again = fixture.store.onWrite { record in seen.change { $0.append("\(record.after.count)") } }
            fixture.after { $0.increment() }
            #expect(seen.value.last == "4")
            again.cancel()
        }
    }

    @Test("OS-50: the values of a held property begin with the present one, each time")
    func property() {
        let fixture = Fixture<App>(.rows(1))
        let (app, notes) = (fixture.model, fixture.notes)
        let held = app.rows[0].property(Self.volume)
        for round in 1...3 {
            let handle = app.forEach(held.values) { notes.add("\($0)") }
            #expect(fixture.after { _ in held.value = round }.suffix(1) == ["\(round)"])
            handle.cancel()
            #expect(fixture.after { _ in held.value = -round } == [])
        }
    }
}
