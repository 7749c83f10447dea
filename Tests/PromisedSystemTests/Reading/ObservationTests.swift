import Observation
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Sources that are read inside of `withObservationTracking`.
@Suite(.tags(.sharedState)) struct ObservationTests {
    private struct Wide: Sendable {
        var numbers: [Int]
        var closure: @Sendable () -> Int = { 0 }

        subscript(index: Int) -> Int {
            get { numbers[index] }
            set { numbers[index] = newValue }
        }
    }

    private let wide = System<Wide, (Int, Int)>(
        initialState: Wide(numbers: Array(repeating: 0, count: 1000)), scheduler: .immediate,
        reducer: Reducer { (state: inout Wide, event: (Int, Int)) in state[event.0] = event.1 })

    private func track<Value>(_ read: () -> Value, _ fired: SharedCount) -> Value {
        withObservationTracking(read) { fired.add(1) }
    }

    @Test("SA-14: a change between reading a value and registering the read is notified") func betweenTheTwo()
    {
        let scheduler = TestScheduler()
        let system = System<Int, Int>(initialState: 0, scheduler: scheduler) { .value($0 + $1) }
        scheduler.advance()
        let looks = SharedCount()
        // The first call of the getter is for subscribing; the second reads the value, and an event is sent meanwhile.
        let part = Scope<Int, Int, Int, Int>(
            get: { [weak system] number in
                looks.add(1)
                if looks.value == 2 {
                    system?.sendEvent(1)
                    scheduler.advance()
                }
                return number
            }, modify: { $1(&$0) }, extract: { $0 }, embed: { $0 })
        let source = system.scoped(by: part).settled
        let fired = SharedCount()
        #expect(track({ source.magnitude }, fired) == 0 && system.state == 1)
        scheduler.advance()
        #expect(fired.value == 1)
    }

    @Test("SA-14: a reader of the value is notified once when it changes, and reads the new one")
    func value() {
        let numbers = Numbers(4)
        let fired = SharedCount()
        let seen = Log<Int>()
        withObservationTracking {
            #expect(numbers.source.value == 4)
        } onChange: {
            fired.add(1)
            seen.add(numbers.source.value)
        }
        numbers.set(5, 6)
        #expect(fired.value == 1)
        #expect(seen.entries == [5])
    }

    @Test("SA-14: .value is notified of every change, equal ones too; a property only of unequal values")
    func equal() {
        let numbers = Numbers(4)
        let (value, property) = (SharedCount(), SharedCount())
        _ = track({ numbers.source.value }, value)
        _ = track({ numbers.source.magnitude }, property)
        numbers.set(4)
        #expect([value.value, property.value] == [1, 0])
        numbers.set(-4)
        #expect([value.value, property.value] == [1, 0])
        numbers.set(5)
        #expect([value.value, property.value] == [1, 1])
    }

    @Test("SA-14: of 1,000 properties read, a change notifies only the readers of that one")
    func thousand() {
        let counts = (0..<1000).map { _ in SharedCount() }
        for index in 0..<1000 { _ = track({ wide.settled[dynamicMember: \.[index]] }, counts[index]) }
        let second = SharedCount()
        _ = track({ wide.settled[dynamicMember: \.[7]] }, second)
        wide.sendEvent((7, 1))
        wide.sendEvent((8, 0))
        wide.sendEvent((999, 3))
        #expect(counts.enumerated().filter { $1.value > 0 }.map(\.offset) == [7, 999])
        #expect([counts[7].value, second.value, counts[999].value] == [1, 1, 1])
        // One subscription for all of them, and none after the last notification.
        #expect(wide.subscribers == 1)
        for index in 0..<1000 { wide.sendEvent((index, 5)) }
        #expect(counts.allSatisfy { $0.value == 1 })
        #expect(wide.subscribers == 0)
    }

    @Test("SA-14: a reader that reads again is notified again") func again() {
        let seen = Log<Int>()
        observe()
        for number in [1, 1, 2, 3] { wide.sendEvent((3, number)) }
        #expect(seen.entries == [0, 1, 2, 3])

        @Sendable func observe() {
            let number = withObservationTracking({ wide.settled[dynamicMember: \.[3]] }) { observe() }
            seen.add(number)
        }
    }

    @Test("SA-14: a property that is not Equatable is notified of every change") func incomparable() {
        let fired = SharedCount()
        _ = track({ wide.settled.closure() }, fired)
        wide.sendEvent((1, 0))
        #expect(fired.value == 1)
    }

    @Test("Reading without tracking does not subscribe") func untracked() {
        #expect(wide.settled.value.numbers.count == 1000)
        #expect(wide.settled.numbers.count == 1000)
        #expect(wide.settled.map(\.numbers.count).value == 1000)
        #expect(wide.subscribers == 0)
    }

    @Test("An operator that is not retained is tracked, and released after its notification") func temporary()
    {
        let numbers = Numbers()
        let fired = SharedCount()
        let ended = Log<String>()
        do {
            let witness = Witness { ended.add("gone") }
            let source = numbers.source.map { number in
                witness.touch()
                return number * 2
            }
            _ = track({ source.value }, fired)
        }
        #expect(numbers.subscribers == 1)
        #expect(ended.entries.isEmpty)
        numbers.set(1)
        #expect(fired.value == 1)
        #expect(numbers.subscribers == 0)
        #expect(ended.entries == ["gone"])
    }

    @Test("The end of the system releases the tracking readers") func end() {
        let ended = Log<String>()
        do {
            let bench = Bench()
            let witness = Witness { ended.add("gone") }
            let source = bench.system.settled.map { text in
                witness.touch()
                return text
            }
            _ = track({ source.count }, SharedCount())
        }
        #expect(ended.entries == ["gone"])
    }

    @Test("A change while the tracked closure runs is notified after it, on the owner's scheduler")
    func changeWhileReading() {
        let scheduler = TestScheduler()
        let system = System<Int, Int>(initialState: 0, scheduler: scheduler) { .value($0 + $1) }
        let fired = SharedCount()
        _ = track(
            {
                let value = system.settled.value
                // The owner's work during the read: as from another thread.
                system.sendEvent(1)
                scheduler.schedule {}
                return value
            }, fired)
        scheduler.advance()
        #expect(fired.value == 1)
    }

    @Test("SR-33: an observable view object takes its first state from the system") func viewObject() {
        let system = System<Int, Int>(initialState: 4, scheduler: .immediate) { .value($0 + $1) }
        let object = ViewObject(state: system.settled)
        let fired = SharedCount()
        #expect(track({ object.state }, fired) == 4)
        system.sendEvent(1)
        #expect(fired.value == 1)
        system.sendEvent(1)
        #expect(fired.value == 1)
        #expect(object.state == 6)
    }
}

/// A view model: only a source.
private final class ViewObject: Sendable {
    private let source: Source<Int>

    init(state source: Source<Int>) { self.source = source }

    var state: Int { source.value }
}
