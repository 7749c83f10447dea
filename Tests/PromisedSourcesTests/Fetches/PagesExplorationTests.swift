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
        var maxPages: Int?
        var options: FetchOptions { FetchOptions(timeLimit: nil) }
        func fetchPage(at cursor: Int, from api: API) -> Promise<Page<Int, Int>> { api.page(cursor) }
    }

    typealias Lists = FetchExploring<Pages<Int, Int>>

    static func explorer(
        _ range: ClosedRange<Int>, maxPages: Int?, requests mostRequests: Int
    ) -> Explorer<Lists.Screen, Lists.Screen.Event> {
        Explorer(events: []) { world in pages(range, Key(maxPages: maxPages), mostRequests, world) }
    }

    private static func pages(
        _ range: ClosedRange<Int>, _ key: Key, _ mostRequests: Int, _ world: World<Lists.Screen>
    ) -> System<Lists.Screen, Lists.Screen.Event> {
        let exploring = Lists(world, isOlder: { $0.items.count < $1.items.count })
        let requests = world.variable(0)
        let api = API { number in
            requests.value += 1
            let page = Page(
                [number], next: number < range.upperBound ? number + 1 : nil,
                previous: number > range.lowerBound ? number - 1 : nil)
            return world.call("page", .value(page, named: "answer"), .error(Offline()))
        }
        world.bound("so many requests") { _ in requests.value <= mostRequests }
        exploring.bound(.zero)
        world.always("pages are in order, none is there twice, and the others can be fetched") { screen in
            screen.values.allSatisfy { pages in
                guard let first = pages.items.first, let last = pages.items.last else { return false }
                return first <= last && pages.items == Array(first...last)
                    && pages.previous.cursor == (first > range.lowerBound ? first - 1 : nil)
                    && pages.next.cursor == (last < range.upperBound ? last + 1 : nil)
            }
        }
        world.always("no more pages than are kept") { screen in
            screen.values.allSatisfy { $0.pages.count <= key.maxPages ?? .max }
        }
        // The outermost ones are reached from where the others have gone.
        let count = key.maxPages ?? range.count
        for items in [Array(range.prefix(count)), range.suffix(count)] {
            world.sometimes("pages \(items)") { screen in screen.values.contains { $0.items == items } }
        }
        let fetches = Fetches(from: api, on: world.scheduler, keepingUnused: .seconds(20))
        let entry = fetches.entry(key)
        exploring.observe(entry.source(freshFor: .seconds(10)), [.a])
        exploring.observeRequests(of: entry, ["page"])
        world.action("next") { fetches.fetchNextPage(of: key) }
        world.action("previous") { fetches.fetchPreviousPage(of: key) }
        world.action("refresh") { fetches.invalidate(key) }
        return exploring.screen
    }

    @Test("pages after and before, refreshed and failing")
    func paging() {
        expectExplored(
            Self.explorer(1...3, maxPages: nil, requests: 3), early: [305, 733], whole: [753, 2396])
    }

    @Test("with a limit, the pages on the other side go, and can be fetched again")
    func limited() {
        expectExplored(
            Self.explorer(0...4, maxPages: 2, requests: 4), early: [355, 806], whole: [4038, 14168])
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
        expectExplored(Self.following, early: [321, 634], whole: [1152, 2716])
    }
}
