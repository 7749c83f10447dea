import Promise
import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

@testable import PromisedSources

/// Every order in which a device can go offline and come back, for keys that need the network, try first, or need none.
@Suite struct NetworkExplorationTests {
    typealias Numbers = FetchExploring<Int>
    typealias Explored = Explorer<Numbers.Screen, Numbers.Screen.Event>

    struct Key: FetchKey {
        let network: FetchOptions.Network
        var options: FetchOptions { FetchOptions(network: network, timeLimit: nil) }
        func fetch(from api: FetchAPI<Int>) -> Promise<Int> { api.get() }
    }

    /// A change sets a bit on the server, and fails without it.
    static func explorer(_ network: FetchOptions.Network) -> Explored {
        Explored(events: []) { world in
            let exploring = Numbers(world)
            let (server, pending) = (world.variable(0), world.variable(0))
            let (requests, isBroken) = (world.variable(0), world.variable(false))
            // How many fetches have failed since the network has changed, while offline.
            let tries = world.variable(0)
            let online = System<Bool, Bool>(
                initialState: true, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
            let begin = { @Sendable (isFetch: Bool) in
                requests.value += 1
                if online.state || network == .notNeeded { return }
                if !isFetch || network == .needed || tries.value > 0 { isBroken.value = true }
            }
            let api = FetchAPI<Int> {
                begin(true)
                let fails = Outcome<Int>.result("fails") {
                    if !online.state { tries.value = 1 }
                    throw Offline()
                }
                return world.call("get", .result("answer") { server.value }, fails)
            }
            let fetches = Fetches(
                from: api, on: world.scheduler, isOnline: online.settled, keepingUnused: .seconds(20))
            let key = Key(network: network)
            exploring.observe(fetches.source(key, freshFor: .seconds(10)), [.a])
            exploring.observeRequests(of: fetches.entry(key), ["get", "change"])
            world.action("change") {
                guard pending.value == 0, server.value == 0 else { return }
                pending.value = 1
                fetches.change(
                    key, optimistic: { $0 = 1 },
                    by: {
                        begin(false)
                        return world.call(
                            "change",
                            .result("is made") { () -> Int in
                                (server.value, pending.value) = (1, 0)
                                return 1
                            },
                            .result("fails") { () -> Int in
                                pending.value = 0
                                throw Offline()
                            })
                    }
                ).catch { _ in }
            }
            world.action("invalidate") { fetches.invalidate(key) }
            for isOnline in [false, true] {
                world.action(isOnline ? "online" : "offline") {
                    if online.state == isOnline { return }
                    tries.value = 0
                    online.sendEvent(isOnline)
                }
            }
            world.bound("so many requests") { _ in requests.value <= (isStress ? 3 : 2) }
            exploring.bound(.zero)
            world.always("what needs the network starts with it, and is tried once without it") { _ in
                !isBroken.value
            }
            world.atRest("what is shown is what the server has, and what waits") { screen in
                screen.values.allSatisfy { $0 == server.value | pending.value }
            }
            world.atRest("nothing waits that can be started") { screen in
                let isPaused = screen.sights.values.contains { $0.isPaused }
                return !(online.state || network == .notNeeded) || !isPaused && pending.value == 0
            }
            world.atRest("what waits for the network is shown as that") { screen in
                online.state
                    || screen.sights.values.allSatisfy { $0.value != nil || $0.hasFailed || $0.isPaused }
            }
            return exploring.screen
        }
    }

    @Test(
        "offline and online, for each network of a key",
        arguments: [
            (FetchOptions.Network.needed, [483, 1770], [1883, 10642]),
            (.triedFirst, [488, 1806], [1951, 10890]),
            (.notNeeded, [517, 1876], [1977, 10744]),
        ])
    func network(network: FetchOptions.Network, early: [Int], whole: [Int]) {
        expectExplored(Self.explorer(network), early: early, whole: whole)
    }
}
