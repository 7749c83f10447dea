import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Reducers that change the state in place, and accesses from elsewhere in the meantime.
@Suite(.serialized) struct InPlaceTests {
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
            Reports.about("read-by-reducer").map(\.description) == [
                "The reducer for the event sent at InPlace/read-by-reducer:1 read the system's state while "
                    + "changing it, and got the initial state: use the reducer's argument"
            ])
        temptation.system.withLock { $0 = nil }
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
