import Promise
import PromisedExploring
import PromisedSystem
import Testing

@testable import PromisedSources

/// Every order in which pages can be asked for, and a key can change.
@Suite struct PagesExplorationTests {
    struct API: Sendable { let page: @Sendable (Int) -> Promise<Page<Int, Int>> }

    struct Key: PagesKey {
        let first = 2
        var options: FetchOptions { FetchOptions(timeLimit: nil) }
        func fetchPage(at cursor: Int, from api: API) -> Promise<Page<Int, Int>> { api.page(cursor) }
    }

    typealias Lists = FetchExploring<Pages<Int, Int>>

    static let pages = Explorer<Lists.Screen, Lists.Screen.Event>(events: []) { world in
        let exploring = Lists(world, isOlder: { $0.items.count < $1.items.count })
        let requests = world.variable(0)
        let api = API { number in
            requests.value += 1
            let page = Page(
                [number], next: number < 3 ? number + 1 : nil, previous: number > 1 ? number - 1 : nil)
            return world.call("page", .value(page, named: "answer"), .error(Offline()))
        }
        world.bound("three requests") { _ in requests.value <= 3 }
        exploring.bound(.zero)
        world.always("pages are in order, and none is there twice") { screen in
            screen.values.allSatisfy { pages in
                guard let first = pages.items.first, let last = pages.items.last else { return false }
                return first <= last && pages.items == Array(first...last)
            }
        }
        world.sometimes("all pages") { screen in screen.values.contains { $0.items == [1, 2, 3] } }
        let fetches = Fetches(from: api, on: world.scheduler, keepingUnused: .seconds(20))
        let entry = fetches.entry(Key())
        exploring.observe(entry.source(freshFor: .seconds(10)), [.a])
        exploring.observeRequests(of: entry, ["page"])
        world.action("next") { fetches.fetchNextPage(of: Key()) }
        world.action("previous") { fetches.fetchPreviousPage(of: Key()) }
        world.action("refresh") { fetches.invalidate(Key()) }
        return exploring.screen
    }

    @Test("pages after and before, refreshed and failing")
    func paging() {
        expectExplored(Self.pages, early: [305, 733], whole: [753, 2396])
    }

    // MARK: A key that changes

    struct Labelled: Hashable, Sendable {
        let value: Int
        let key: Int
        let isPrevious: Bool
    }

    struct NumberKey: FetchKey {
        let id: Int
        var options: FetchOptions { FetchOptions(timeLimit: nil) }
        func fetch(from get: @escaping @Sendable (Int) -> Promise<Int>) -> Promise<Int> { get(id) }
    }

    typealias Labels = FetchExploring<Labelled>

    static let following = Explorer<Labels.Screen, Labels.Screen.Event>(events: []) { world in
        let exploring = Labels(world)
        let requests = world.variable(0)
        let get = { @Sendable (id: Int) in
            requests.value += 1
            return world.call("get \(id)", .value(id, named: "answer"), .error(Offline()))
        }
        world.bound("three requests") { _ in requests.value <= 3 }
        exploring.bound(.seconds(20))
        let fetches = Fetches(from: get, on: world.scheduler, keepingUnused: .seconds(20))
        let keys = System<Int, Int>(initialState: 1, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        let followed = fetches.source(
            following: keys.settled.map { NumberKey(id: $0) }, freshFor: .seconds(10))
        for id in [1, 2] {
            exploring.observeRequests(of: fetches.entry(NumberKey(id: id)), ["get \(id)"])
            world.action("key \(id)") { keys.sendEvent(id) }
        }
        exploring.observe(
            followed.map { followed in
                followed.model.map {
                    Labelled(value: $0, key: followed.key.id, isPrevious: followed.isPrevious)
                }
            }, [.a], stay: true)
        world.always("a previous value is told from the present one") { screen in
            screen.values.allSatisfy { $0.isPrevious == ($0.value != $0.key) }
        }
        world.atRest("the value is that of the present key, or a failure is beside it") { screen in
            screen.sights.values.allSatisfy { sight in
                sight.hasFailed || sight.value.map { $0.value == keys.state && $0.key == keys.state } ?? false
            }
        }
        return exploring.screen
    }

    @Test("a key changes before, during and after its fetch")
    func keys() {
        expectExplored(Self.following, early: [310, 628], whole: [940, 2418])
    }
}
