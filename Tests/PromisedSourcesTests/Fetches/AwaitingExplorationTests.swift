import Promise
import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

@testable import PromisedSources

/// Every order in which a value can be awaited, cancelled and removed, and in which there may be no key.
@Suite struct AwaitingExplorationTests {
    typealias Numbers = FetchExploring<Int>
    typealias Explored = Explorer<Numbers.Screen, Numbers.Screen.Event>

    static let awaiting = Explored(events: []) { world in
        let exploring = Numbers(world, losesValues: true)
        let (requests, isAwaited) = (world.variable(0), world.variable(false))
        let online = System<Bool, Bool>(
            initialState: true, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        let key = ExploredKey<Int>()
        let fetches = Fetches(
            from: FetchAPI<Int> {
                requests.value += 1
                return world.call("get", .value(1, named: "answer"), .error(Offline()))
            }, on: world.scheduler, isOnline: online.settled, keepingUnused: .seconds(20))
        world.bound("so many requests") { _ in requests.value <= (isStress ? 3 : 2) }
        exploring.bound(.zero)
        exploring.observe(fetches.source(key, freshFor: .seconds(10)), [.a])
        exploring.observeRequests(of: fetches.entry(key), ["get"])
        let awaited = Lock<Promise<Int>?>(nil)
        world.action("await") {
            if isAwaited.value { return }
            isAwaited.value = true
            let promise: Promise<Int> = fetches.fetch(key)
            promise.done { _ in isAwaited.value = false }.catch { _ in isAwaited.value = false }
            awaited.exchange(for: promise)
        }
        world.action("stop awaiting") { awaited.exchange(for: nil)?.cancel() }
        world.action("cancel") { fetches.cancel(key) }
        world.action("remove") { fetches.remove(key) }
        for isOnline in [false, true] {
            world.action(isOnline ? "online" : "offline") { online.sendEvent(isOnline) }
        }
        world.atRest("what is awaited comes, or fails") { _ in !isAwaited.value || !online.state }
        return exploring.screen
    }

    @Test("a value is awaited, and cancelled and removed before, during and after that")
    func awaited() {
        expectExplored(Self.awaiting, early: [986, 4446], whole: [7458, 56832])
    }

    struct NumberKey: FetchKey {
        let id: Int
        var options: FetchOptions { FetchOptions(timeLimit: nil) }
        func fetch(from get: @escaping @Sendable (Int) -> Promise<Int>) -> Promise<Int> { get(id) }
    }

    /// A value is that of its key.
    static let optional = Explored(events: []) { world in
        let exploring = Numbers(world, losesValues: true)
        let requests = world.variable(0)
        let fetches = Fetches(
            from: { @Sendable (id: Int) -> Promise<Int> in
                requests.value += 1
                return world.call("get \(id)", .value(id, named: "answer"), .error(Offline()))
            }, on: world.scheduler, keepingUnused: .seconds(20))
        let keys = System<Int, Int>(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        let followed = fetches.source(
            following: keys.settled.map { $0 == 0 ? nil : NumberKey(id: $0) }, freshFor: .seconds(10))
        world.bound("three requests") { _ in requests.value <= 3 }
        exploring.bound(.zero)
        for id in 0...2 { world.action("key \(id)") { keys.sendEvent(id) } }
        for id in 1...2 { exploring.observeRequests(of: fetches.entry(NumberKey(id: id)), ["get \(id)"]) }
        // Without a key, a failure is shown.
        exploring.observe(followed.map { $0?.model ?? .failure(.init(Offline())) }, [.a])
        world.atRest("the value is that of the key, and without one there is none") { screen in
            screen.sights.values.allSatisfy { sight in
                keys.state == 0 ? sight.value == nil : sight.hasFailed || sight.value == keys.state
            }
        }
        return exploring.screen
    }

    @Test("a key that comes and goes")
    func optionalKeys() {
        expectExplored(Self.optional, early: [417, 806], whole: [2081, 6520])
    }
}
