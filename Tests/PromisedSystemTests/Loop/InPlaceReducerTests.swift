import Dispatch
import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Reducers that change the state in place, and accesses from elsewhere in the meantime.
@Suite(.serialized, .tags(.sharedState)) struct InPlaceReducerTests {
    /// Lets a reducer access its own system.
    private final class Temptation: Sendable {
        let system = Lock<System<[Int], Int>?>(nil)
        let seen = Log<[Int]>()
        let told = Log<[Int]>()
        let tokens = Lock<[SubscriptionToken]>([])
    }

    private func system(
        _ temptation: Temptation, _ tempt: @escaping @Sendable (System<[Int], Int>) -> Void
    ) -> System<[Int], Int> {
        let system = System<[Int], Int>(
            initialState: [], scheduler: .immediate,
            reducer: Reducer { numbers, number in
                numbers.append(number)
                if let system = temptation.system.withLock({ $0 }) { tempt(system) }
                numbers.append(-number)
            })
        temptation.system.withLock { $0 = system }
        return system
    }

    @Test("FS-02: a large state is changed in place, not copied") func noCopy() {
        let system = System<[Int], Int>(
            initialState: Array(0..<1000), scheduler: .immediate,
            reducer: Reducer { numbers, place in numbers[place] += 1 })
        // The initial state is kept for reads inside a reducer, so the first change copies it.
        system.sendEvent(0)
        let place = { system.state.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        let before = place()
        // Checked after each event: with two alternating buffers, the address would be the same after every second one.
        var moves = 0
        for event in 0..<1000 {
            system.sendEvent(event)
            if place() != before { moves += 1 }
        }
        #expect(moves == 0)
        #expect(system.state[0] == 2)
    }

    @Test(
        "R12: a reducer that reads its own system gets a state instead of a deadlock, and the read is reported"
    )
    func readsItself() {
        let temptation = Temptation()
        let system = system(temptation) { temptation.seen.add($0.state) }
        Reports.begin()
        system.sendEvent(1, file: "InPlace/read-by-reducer", line: 1)
        system.sendEvent(2, file: "InPlace/read-by-reducer", line: 2)
        #expect(temptation.seen.entries == [[], [1, -1]])
        #expect(system.state == [1, -1, 2, -2])
        #expect(
            Reports.about("read-by-reducer").map(\.description)
                == [1, 2].map {
                    "The reducer for the event sent at InPlace/read-by-reducer:\($0) read the system's state: "
                        + "read the reducer's argument, which is that state"
                })
        temptation.system.withLock { $0 = nil }
    }

    @Test("A large state is changed in place again when the last observer of turns is removed")
    func inPlaceAgain() {
        let addresses = Log<UInt>()
        let system = System<[Int], Int>(
            initialState: Array(0..<1000), scheduler: .immediate,
            reducer: Reducer { numbers, event in
                numbers[0] += event
                addresses.add(numbers.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
            })
        let token = system.onLoop { _ in }
        for _ in 0..<2 { system.sendEvent(1) }
        token.cancel()
        for _ in 0..<3 { system.sendEvent(1) }
        #expect(Set(addresses.entries.suffix(2)).count == 1)
    }

    @Test("R12: a read on another thread waits for the reducer that changes the state in place")
    func readWaits() {
        let temptation = Temptation()
        let (started, read) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let system = system(temptation) { system in
            DispatchQueue.global().async {
                started.signal()
                temptation.seen.add(system.state)
                read.signal()
            }
            started.wait()
        }
        Reports.begin()
        system.sendEvent(1, file: "InPlace/waits", line: 1)
        read.wait()
        #expect(temptation.seen.entries == [[1, -1]])
        #expect(Reports.about("InPlace/waits").isEmpty)
        temptation.system.withLock { $0 = nil }
    }

    @Test(
        "R12: a reducer of any form that reads its own system gets the state before the event, and is reported",
        arguments: ["promise", "small", "history"])
    func readsItself(form: String) {
        let file: StaticString =
            switch form {
            case "promise": "InPlace/promise"
            case "small": "InPlace/small"
            default: "InPlace/history"
            }
        let seen = Log<Int>()
        let system = Lock<System<Int, Int>?>(nil)
        let read = { @Sendable in seen.add(system.withLock { $0 }?.state ?? -1) }
        let reducer =
            form == "promise"
            ? Reducer<Int, Int> { state, event in
                read()
                return .value(state + event)
            }
            : Reducer<Int, Int> { state, event in
                state += event
                read()
            }
        let made = System(
            initialState: 0, scheduler: .immediate, reducer: reducer,
            configuration: .init(history: form == "history" ? .last(2) : nil))
        system.withLock { $0 = made }
        Reports.begin()
        for event in 1...3 { made.sendEvent(event, file: file, line: UInt(event)) }
        #expect(seen.entries == [0, 1, 3])
        #expect(made.state == 6)
        #expect(
            Reports.about("\(file)").map(\.description)
                == (1...3).map {
                    "The reducer for the event sent at \(file):\($0) read the system's state: "
                        + "read the reducer's argument, which is that state"
                })
        system.withLock { $0 = nil }
    }

    @Test("R12: a subscription that replays the state inside a reducer is a read, and reported")
    func subscribesInsidePromiseReducer() {
        let (seen, tokens) = (Log<Int>(), Lock<[SubscriptionToken]>([]))
        let system = Lock<System<Int, Int>?>(nil)
        let made = System<Int, Int>(initialState: 0, scheduler: .immediate) { state, event in
            let source = system.withLock { $0 }?.settled
            let token = source?.subscribe(replayCurrent: event == 1) { seen.add($0) }
            tokens.withLock { $0 += token.map { [$0] } ?? [] }
            return .value(state + event)
        }
        system.withLock { $0 = made }
        Reports.begin()
        made.sendEvent(1, file: "InPlace/subscribes", line: 1)
        made.sendEvent(2, file: "InPlace/subscribes", line: 2)
        #expect(seen.entries == [0, 1, 3, 3])
        #expect(
            Reports.about("InPlace/subscribes").map(\.description) == [
                "The reducer for the event sent at InPlace/subscribes:1 read the system's state: "
                    + "read the reducer's argument, which is that state"
            ])
        system.withLock { $0 = nil }
    }

    @Test("R12: of two reducers that wait for each other, one goes on and is reported")
    func readInACircle() async {
        let (left, right) = (Temptation(), Temptation())
        let meeting = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        // Both reducers run when each of them looks at the other system.
        let tempt = { @Sendable (own: Int, other: Temptation) in
            meeting[own].signal()
            meeting[1 - own].wait()
            _ = other.system.withLock { $0 }?.state
        }
        let systems = [
            system(left) { _ in tempt(0, right) }, system(right) { _ in tempt(1, left) },
        ]
        Reports.begin()
        await onThreads(2) { side in systems[side].sendEvent(1, file: "InPlace/circle", line: UInt(side)) }
        #expect(systems.map(\.state) == [[1, -1], [1, -1]])
        // The one that looked last would have waited for ever.
        #expect(Reports.about("InPlace/circle").count == 1)
        for temptation in [left, right] { temptation.system.withLock { $0 = nil } }
    }

    @Test("R12: subscribing or unsubscribing inside a reducer takes effect right after it")
    func subscribesInside() {
        let temptation = Temptation()
        let system = system(temptation) { system in
            guard temptation.tokens.withLock({ $0.isEmpty }) else {
                return temptation.tokens.withLock { $0 = [] }
            }
            let token = system.settled.subscribe { temptation.told.add($0) }
            temptation.tokens.withLock { $0 = [token] }
        }
        system.sendEvent(1)
        #expect(temptation.told.entries == [[1, -1]])
        system.sendEvent(2)
        #expect(temptation.told.entries == [[1, -1]])
        temptation.system.withLock { $0 = nil }
    }

    @Test("R12: stopping a system or sending inside its reducer takes effect after the reducer")
    func stopsInside() {
        Reports.begin()
        let temptation = Temptation()
        let system = system(temptation) { system in
            if system.state.count < 4 { system.sendEvent(7) } else { system.stop() }
        }
        system.sendEvent(1)
        #expect(Array(system.state.prefix(4)) == [1, -1, 7, -7])
        #expect(system.state.count <= 6)
        temptation.system.withLock { $0 = nil }
    }

    @Test("R12: two systems whose reducers read each other on two threads do not deadlock")
    func readEachOther() async {
        Reports.begin()
        let (left, right) = (Temptation(), Temptation())
        let systems = [
            system(left) { _ in _ = right.system.withLock { $0 }?.state.count },
            system(right) { _ in _ = left.system.withLock { $0 }?.state.count },
        ]
        let each = rounds(500, stress: 2000)
        await onThreads(2) { side in
            for event in 0..<each { systems[side].sendEvent(event) }
        }
        #expect(systems.map(\.state.count) == [2 * each, 2 * each])
        for temptation in [left, right] { temptation.system.withLock { $0 = nil } }
    }
}
