import Promise
import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

@testable import PromisedSources

/// Every order of answers, failures, cancellations, observers, signals and clock steps, up to two requests, or three
/// with PROMISED_ROUNDS: the third makes the explorations four times as large, and no planted fault needs it.
@Suite struct FetchesExplorationTests {
    typealias Numbers = FetchExploring<Int>
    typealias Explored = Explorer<Numbers.Screen, Numbers.Screen.Event>

    private static let mostRequests = isStress ? 3 : 2

    /// Requests are answered with the version of the server at the time when they were made.
    private static func fetches(
        _ exploring: Numbers, version: WorldVariable<Int>, time: Duration
    ) -> (Fetches<FetchAPI<Int>>, FetchEntry<ExploredKey<Int>>) {
        let world = exploring.world
        let requests = world.variable(0)
        let api = FetchAPI<Int> {
            requests.value += 1
            return world.call("get", .value(version.value, named: "answer"), .error(Offline()), .cancelled)
        }
        world.bound("so many requests") { _ in requests.value <= mostRequests }
        exploring.bound(time)
        let fetches = Fetches(from: api, on: world.scheduler, keepingUnused: .seconds(20))
        let entry = fetches.entry(ExploredKey<Int>())
        exploring.observeRequests(of: entry, ["get"])
        return (fetches, entry)
    }

    static let observers = Explored(events: []) { world in
        let exploring = Numbers(world, isOlder: <)
        let version = world.variable(0)
        let (_, entry) = fetches(exploring, version: version, time: .seconds(30))
        exploring.observe(entry.source(freshFor: .seconds(10)))
        world.action("changes") { version.value = min(version.value + 1, 1) }
        world.sometimes("a failure beside a value") { screen in
            screen.sights.values.contains { $0.hasFailed && $0.value != nil }
        }
        return exploring.screen
    }

    @Test("two observers of one key come and go")
    func twoObservers() {
        expectExplored(Self.observers, early: [262, 890], whole: [1412, 7689])
    }

    static let invalidation = Explored(events: []) { world in
        let exploring = Numbers(world, isOlder: <)
        let version = world.variable(0)
        let (fetches, entry) = fetches(exploring, version: version, time: .seconds(20))
        exploring.observe(entry.source(freshFor: .seconds(10)), [.a])
        world.action("changes") {
            version.value = min(version.value + 1, 1)
            fetches.invalidate(ExploredKey<Int>())
        }
        world.action("comes back") { fetches.refreshStale() }
        world.action("prefetch") { fetches.prefetch(ExploredKey<Int>(), freshFor: .seconds(10)) }
        world.atRest("what is shown is the latest, or a failure is beside it") { screen in
            screen.sights.values.allSatisfy { $0.value == version.value || $0.hasFailed }
        }
        return exploring.screen
    }

    @Test("a key is invalidated before, during and after its fetch")
    func invalidated() {
        expectExplored(Self.invalidation, early: [667, 2366], whole: [2605, 13891])
    }

    // MARK: Changes

    /// Two changes, each of which sets a bit on the server.
    private static func changing(
        _ exploring: Numbers, bits: [Int] = [1, 2], isOnline: @escaping @Sendable () -> Bool = { true },
        _ online: Source<Bool> = .constant(true)
    ) -> (Fetches<FetchAPI<Int>>, pending: WorldVariable<Int>, server: WorldVariable<Int>) {
        let world = exploring.world
        let (server, pending) = (world.variable(0), world.variable(0))
        let (requests, isBroken) = (world.variable(0), world.variable(false))
        let starts = { @Sendable in
            requests.value += 1
            if !isOnline() { isBroken.value = true }
        }
        let api = FetchAPI<Int> {
            starts()
            return world.call("get", .result("answer") { server.value }, .error(Offline()))
        }
        world.bound("so many requests") { _ in requests.value <= mostRequests }
        world.always("nothing starts while offline") { _ in !isBroken.value }
        world.always("a guess is shown until it is answered") { screen in
            screen.values.allSatisfy { $0 & pending.value == pending.value }
        }
        world.atRest("what is shown is what the server has, and what waits") { screen in
            screen.values.allSatisfy { $0 == server.value | pending.value }
        }
        let key = ExploredKey<Int>()
        let fetches = Fetches(
            from: api, on: world.scheduler, isOnline: online, keepingUnused: .seconds(20))
        exploring.observe(fetches.source(key, freshFor: .seconds(10)), [.a])
        exploring.bound(.zero)
        for bit in bits {
            let send = { @Sendable () -> Promise<Int> in
                starts()
                return world.call(
                    "change",
                    .result("is made") { () -> Int in
                        server.value |= bit
                        pending.value &= ~bit
                        return server.value
                    },
                    .result("fails") { () -> Int in
                        pending.value &= ~bit
                        throw Offline()
                    })
            }
            world.action("change \(bit)") {
                guard pending.value & bit == 0 else { return }
                pending.value |= bit
                if bit == 1 {
                    fetches.change(key, optimistic: { $0 |= bit }, by: send).catch { _ in }
                } else {
                    fetches.change(key, optimistic: { $0 |= bit }, by: send, applying: { $0 |= $1 & bit })
                        .catch { _ in }
                }
            }
        }
        let entry = fetches.entry(key)
        exploring.observeRequests(of: entry, ["get", "change"])
        return (fetches, pending, server)
    }

    static let changes = Explored(events: []) { world in
        let exploring = Numbers(world)
        let (fetches, _, _) = changing(exploring)
        world.action("invalidate") { fetches.invalidate(ExploredKey<Int>()) }
        return exploring.screen
    }

    /// The server has a third bit, which it sends by itself.
    static let sets = Explored(events: []) { world in
        let exploring = Numbers(world)
        let (fetches, _, server) = changing(exploring, bits: [2])
        world.action("set") {
            server.value |= 4
            fetches.set(server.value, for: ExploredKey<Int>())
        }
        world.action("set by") {
            server.value |= 4
            fetches.set(ExploredKey<Int>()) { $0? |= 4 }
        }
        return exploring.screen
    }

    @Test("values that the server sends by itself, between changes and fetches")
    func provided() {
        expectExplored(Self.sets, early: [364, 1322], whole: [861, 4416])
    }

    @Test("two changes with guesses, which fail or succeed, and fetches between them")
    func optimistic() {
        expectExplored(Self.changes, early: [764, 2216], whole: [4048, 18567])
    }

    static let offline = Explored(events: []) { world in
        let exploring = Numbers(world)
        let online = System<Bool, Bool>(
            initialState: true, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        let (_, pending, _) = changing(exploring, bits: [1], isOnline: { online.state }, online.settled)
        world.action("offline") { online.sendEvent(false) }
        world.action("online") { online.sendEvent(true) }
        world.atRest("what waits goes on when online") { screen in
            !online.state || pending.value == 0 && screen.sights.values.allSatisfy { !$0.isPaused }
        }
        return exploring.screen
    }

    @Test("offline and online again")
    func connection() {
        expectExplored(Self.offline, early: [298, 1029], whole: [925, 4737])
    }
}
