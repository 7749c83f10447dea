import Foundation
import Promise
import PromisedExploring
import PromisedSystem
import PromisedTesting
import Testing

@testable import PromisedSources

/// Every order in which a program can be ended and started again, with a stored value and a change that waits.
@Suite struct RestartExplorationTests {
    typealias Numbers = FetchExploring<Int>
    typealias Explored = Explorer<Numbers.Screen, Numbers.Screen.Event>

    struct API: Sendable {
        let get: @Sendable () -> Promise<Int>
        let change: @Sendable (Int) -> Promise<Int>
    }

    struct Key: FetchKey {
        var options: FetchOptions { FetchOptions(timeLimit: nil) }
        var storageKey: StorageKey<Int>? { StorageKey("value") }
        func fetch(from api: API) -> Promise<Int> { api.get() }
    }

    struct SetBit: StoredChange {
        static let name = "set"
        let bit: Int
        var values: [ValueChange<API, Int>] {
            [ValueChange(Key(), optimistic: { [bit] in $0 |= bit }, applying: { [bit] in $0 |= $1 & bit })]
        }
        func send(to api: API) -> Promise<Int> { api.change(bit) }
    }

    /// What is stored, as a part of each configuration. Identifiers of changes differ from path to path, and are none.
    struct Stored: Hashable, Sendable {
        var value: Data?
        var date: Date?
        var changes: [Data] = []
        var names: [String: FetchStore.Name]?
    }

    static let restarts = Explored(events: []) { world in
        let exploring = Numbers(world)
        let (scheduler, screen) = (world.scheduler, exploring.screen)
        let (server, pending) = (world.variable(0), world.variable(0))
        let (requests, starts, isBroken) = (world.variable(0), world.variable(0), world.variable(false))
        let online = System<Bool, Bool>(
            initialState: true, scheduler: scheduler, reducer: Reducer { $0 = $1 })
        let begin = { @Sendable in
            requests.value += 1
            if !online.state { isBroken.value = true }
        }
        let api = API(
            get: {
                begin()
                return world.call("get", .result("answer") { server.value }, .error(Offline()))
            },
            change: { bit in
                begin()
                // What was answered is not sent again.
                if pending.value & bit == 0 { isBroken.value = true }
                return world.call(
                    "change",
                    .result("is made") {
                        server.value |= bit
                        pending.value &= ~bit
                        return server.value
                    },
                    .result("fails") { () -> Int in
                        pending.value &= ~bit
                        throw Offline()
                    })
            })
        let (memory, stored) = (MemoryPersistence(on: scheduler), world.variable(Stored()))
        let values = memory.source(for: StorageKey<FetchRecord>("value"))
        let changes = memory.source(for: StorageKey<[ChangeRecord]>("promised.changes"))
        let names = memory.source(for: StorageKey<[String: FetchStore.Name]>("promised.values"))
        let tokens = [
            values.subscribe { (stored.value.value, stored.value.date) = ($0.found?.data, $0.found?.date) },
            changes.subscribe { stored.value.changes = $0.found?.value.map(\.data) ?? [] },
            names.subscribe { stored.value.names = $0.found?.value },
        ]
        let program = Lock((fetches: Fetches<API>?.none, token: SubscriptionToken?.none))
        world.action("start") {
            guard starts.value < 2 else { return }
            starts.value += 1
            withExtendedLifetime((values, changes, names, tokens)) {}
            program.withLock { $0.token }?.cancel()
            program.exchange(for: (nil, nil))
            screen.sendEvent(.goes(.a))
            let storage = FetchStorage(memory, version: "1") {
                Date(timeIntervalSinceReferenceDate: scheduler.now / .seconds(1))
            }
            let fetches = Fetches(from: api, on: scheduler, isOnline: online.settled, storage: storage)
            fetches.resume([SetBit.self])
            let token = fetches.source(Key(), freshFor: .seconds(10)).subscribe {
                screen.sendEvent(.sees(.a, Numbers.Screen.Sight($0)))
            }
            program.exchange(for: (fetches, token))
        }
        for bit in [1, 2] {
            world.action("change \(bit)") {
                guard let fetches = program.withLock({ $0.fetches }) else { return }
                guard (pending.value | server.value) & bit == 0 else { return }
                pending.value |= bit
                fetches.change(SetBit(bit: bit)).catch { _ in }
            }
        }
        world.action("invalidate") { program.withLock { $0.fetches }?.invalidate(Key()) }
        world.action("offline") { online.sendEvent(false) }
        world.action("online") { online.sendEvent(true) }
        world.bound("three requests") { _ in requests.value <= 3 }
        exploring.bound(.zero)
        for call in ["get", "change"] {
            world.neverTwice("one \(call) at a time", .call(call), until: .end(of: call))
        }
        world.always("nothing starts while offline, and what was answered is not sent again") { _ in
            !isBroken.value
        }
        world.always("a guess is shown until it is answered, also after a restart") { screen in
            screen.values.allSatisfy { $0 & pending.value == pending.value }
        }
        world.atRest("what is shown is what the server has, and what waits") { screen in
            screen.values.allSatisfy { $0 == server.value | pending.value }
        }
        world.atRest("what waits is sent") { _ in
            !online.state || starts.value == 0 || pending.value == 0
        }
        world.atRest("what waits is stored, and what is answered is not") { _ in
            stored.value.changes.count == pending.value.nonzeroBitCount
        }
        world.sometimes("a value that is there at once, with a change that waits") { screen in
            starts.value == 2 && requests.value == 1 && pending.value == 1 && screen.values == [1]
        }
        return screen
    }

    @Test("a program that is ended at any time: its value is there again, and its changes are sent")
    func restarted() {
        expectExplored(Self.restarts, early: [1725, 4650], whole: [11222, 66560])
    }
}
