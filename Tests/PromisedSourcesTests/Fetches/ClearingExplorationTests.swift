import Promise
import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

@testable import PromisedSources

/// Every order in which keys can be cancelled, removed and cleared, changed together, and limited in time.
@Suite struct ClearingExplorationTests {
    typealias Numbers = FetchExploring<Int>
    typealias Explored = Explorer<Numbers.Screen, Numbers.Screen.Event>

    /// The user of the app changes: values are those of the user at the time of the request.
    static let clearing = Explored(events: []) { world in
        let exploring = Numbers(world, losesValues: true)
        let (user, requests, changes) = (world.variable(1), world.variable(0), world.variable(0))
        let call = { @Sendable (name: String) -> Promise<Int> in
            requests.value += 1
            let requested = user.value
            return world.call(name, .value(requested, named: "answer"), .error(Offline()))
        }
        world.bound("two requests") { _ in requests.value <= 2 }
        exploring.bound(.zero)
        let (key, fetches) = (
            ExploredKey<Int>(),
            Fetches(from: FetchAPI<Int> { call("get") }, on: world.scheduler, keepingUnused: .seconds(20))
        )
        exploring.observe(fetches.source(key, freshFor: .seconds(10)), [.a])
        exploring.observeRequests(of: fetches.entry(key), ["get", "change"])
        world.action("change") {
            if changes.value > 1 { return }
            changes.value += 1
            fetches.change(key, optimistic: { $0 = $0 }, by: { call("change") }).catch { _ in }
        }
        world.action("cancel") { fetches.cancel(key) }
        world.action("next user") {
            if user.value > 1 { return }
            user.value += 1
            fetches.clear()
        }
        world.always("no value of another user is shown") { screen in
            screen.values.allSatisfy { $0 == user.value }
        }
        return exploring.screen
    }

    @Test("keys are cancelled and cleared before, during and after fetches and changes")
    func cleared() {
        expectExplored(Self.clearing, early: [655, 1950], whole: [877, 3270])
    }

    struct Two: FetchKey {
        let id: Int
        var options: FetchOptions { FetchOptions(timeLimit: nil) }
        func fetch(from get: @escaping @Sendable (Int) -> Promise<Int>) -> Promise<Int> { get(id) }
    }

    /// A change adds one to both of two keys. Each of them is observed.
    static let together = Explored(events: []) { world in
        let exploring = Numbers(world, losesValues: true)
        let (server, requests, isPending) = (world.variable(0), world.variable(0), world.variable(false))
        let fetches = Fetches(
            from: { @Sendable (id: Int) -> Promise<Int> in
                requests.value += 1
                return world.call("get \(id)", .result("answer") { server.value }, .error(Offline()))
            }, on: world.scheduler, keepingUnused: .seconds(20))
        world.bound("four requests") { _ in requests.value <= 4 }
        exploring.bound(.zero)
        exploring.observe(fetches.source(Two(id: 1), freshFor: .seconds(10)), [.a], stay: true)
        exploring.observe(fetches.source(Two(id: 2), freshFor: .seconds(10)), [.b], stay: true)
        for id in 1...2 { exploring.observeRequests(of: fetches.entry(Two(id: id)), ["get \(id)"]) }
        world.neverTwice("one change at a time", .call("change"), until: .end(of: "change"))
        world.action("change") {
            if isPending.value || server.value > 0 { return }
            isPending.value = true
            fetches.change(
                [2, 1].map { ValueChange(Two(id: $0), optimistic: { $0 = 1 }, applying: { $0 = $1 }) },
                by: {
                    requests.value += 1
                    return world.call(
                        "change",
                        .result("is made") {
                            (server.value, isPending.value) = (1, false)
                            return 1
                        },
                        .result("fails") { () -> Int in
                            isPending.value = false
                            throw Offline()
                        })
                }
            ).catch { _ in }
        }
        world.action("invalidate 1") { fetches.invalidate(Two(id: 1)) }
        world.atRest("both have the change, or neither") { screen in
            screen.values.allSatisfy { $0 == (isPending.value ? 1 : server.value) }
        }
        return exploring.screen
    }

    @Test("a change of two keys, between their fetches: there is one rollback")
    func twoKeys() {
        // What a key waits for is known to the other one, which is no part of a configuration: none is merged.
        let exploration = Self.together.check(depth: isStress ? 5 : 4, .init(merging: .none))
        let found = [exploration.configurations, exploration.transitions]
        #expect(found == (isStress ? [5885, 5884] : [955, 954]))
    }

    struct LimitedKey: FetchKey {
        var options: FetchOptions { FetchOptions(timeLimit: .seconds(5), pollingEvery: .seconds(10)) }
        func fetch(from get: @escaping @Sendable () -> Promise<Int>) -> Promise<Int> { get() }
    }

    static let limited = Explored(events: []) { world in
        let exploring = Numbers(world)
        let requests = world.variable(0)
        let fetches = Fetches(
            from: { @Sendable () -> Promise<Int> in
                requests.value += 1
                return world.call("get", .value(1, named: "answer"), .error(Offline()))
            }, on: world.scheduler, keepingUnused: .seconds(20))
        world.bound("three requests") { _ in requests.value <= 3 }
        exploring.bound(.seconds(30))
        exploring.observe(fetches.source(LimitedKey(), freshFor: .seconds(1)), [.a])
        exploring.observeRequests(of: fetches.entry(LimitedKey()), ["get"])
        world.sometimes("a fetch that comes by itself") { _ in requests.value == 2 }
        return exploring.screen
    }

    @Test("a key that is polled, and whose requests may hang")
    func polled() {
        expectExplored(Self.limited, early: [349, 598], whole: [2177, 5293])
    }
}
