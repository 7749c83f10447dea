import Promise
import PromisedExploring
import PromisedSources
import PromisedTesting
import Testing

/// All orders of loading by hand, answers, failures, clock steps and the release, over three requests. See `Screen` for
/// what holds in all of them.
@Suite struct FetchExplorationTests {
    private func expect(
        _ exploration: Exploration<Screen, Fetchable<Int>>, _ configurations: Int, _ transitions: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(exploration.gaps == [], sourceLocation: sourceLocation)
        #expect(exploration.configurations == configurations, sourceLocation: sourceLocation)
        #expect(exploration.transitions == transitions, sourceLocation: sourceLocation)
    }

    @Test("a fetch")
    func fetching() {
        let explorer = Screen.explorer { world, servers in
            .fetching(on: world.scheduler) { servers[0].get() }
        }
        let exploration = explorer.check(depth: 40)
        expect(exploration, 44, 106)
    }

    @Test("a fetch that is retried")
    func retrying() {
        let explorer = Screen.explorer { world, servers in
            world.always("a failure is hidden until a retry has failed") { state in
                state.shown?.failure.map { $0.failedAttempts > 1 } ?? true
            }
            world.sometimes("it is shown then") { $0.shown?.failure != nil }
        } _: { world, servers in
            .fetching(on: world.scheduler) { servers[0].get() }
                .retrying(
                    .backoff(from: .seconds(1), upTo: .seconds(2)), forwardErrorAfter: .attempts(1),
                    on: world.scheduler)
        }
        let exploration = explorer.check(depth: 40)
        expect(exploration, 73, 190)
    }

    @Test("a fetch that is retried, whose failures are shown after a time")
    func retryingForATime() {
        let explorer = Screen.explorer { world, servers in
            .fetching(on: world.scheduler) { servers[0].get() }
                .retrying(.interval(.seconds(2)), forwardErrorAfter: .time(.seconds(3)), on: world.scheduler)
        }
        let exploration = explorer.check(depth: 40)
        expect(exploration, 132, 407)
    }

    @Test("a fetch that is refreshed again and again")
    func refreshing() {
        let explorer = Screen.explorer { world, servers in
            .fetching(on: world.scheduler) { servers[0].get() }
                .refreshing(every: .seconds(10), on: world.scheduler)
        }
        let exploration = explorer.check(depth: 40)
        expect(exploration, 79, 211)
    }

    @Test("a fetch that is retried and refreshed")
    func retryingAndRefreshing() {
        let explorer = Screen.explorer { world, servers in
            .fetching(on: world.scheduler) { servers[0].get() }
                .retrying(.interval(.seconds(1)), forwardErrorAfter: .attempts(1), on: world.scheduler)
                .refreshing(every: .seconds(10), on: world.scheduler)
        }
        let exploration = explorer.check(depth: 40)
        expect(exploration, 85, 235)
    }

    @Test("two fetches together")
    func combined() {
        let explorer = Screen.explorer(servers: ["left", "right"], limit: 2) { world, servers in
            .fetching(on: world.scheduler) { servers[0].get() }
                .combinedFetch(with: .fetching(on: world.scheduler) { servers[1].get() })
                .mapFetchedValue { $0 * 10 + $1 }
        }
        let exploration = explorer.check(depth: 40)
        expect(exploration, 77, 198)
    }

    @Test("two fetches together, without failures: there is no half of a refresh")
    func halves() {
        let explorer = Screen.explorer(
            { world, servers in
                world.always("both are of one refresh") { state in
                    state.shown?.fetched.map { $0.value % 11 == 0 } ?? true
                }
            }, servers: ["left", "right"], fails: false
        ) { world, servers in
            .fetching(on: world.scheduler) { servers[0].get() }
                .combinedFetch(with: .fetching(on: world.scheduler) { servers[1].get() })
                .mapFetchedValue { $0 * 10 + $1 }
        }
        let exploration = explorer.check(depth: 40)
        expect(exploration, 20, 52)
    }

    @Test("a fetch that begins after a delay")
    func afterDelay() {
        let explorer = Screen.explorer { world, servers in
            world.always("nothing is asked before the delay is over") { _ in
                servers[0].requests.value == 0 || world.scheduler.now >= .seconds(1)
            }
        } _: { world, servers in
            .fetching(on: world.scheduler) { servers[0].get() }
                .fetchAfterDelay(of: .seconds(1), on: world.scheduler)
        }
        // The subscription that the delayed work makes is no part of a configuration, so paths are not merged.
        let exploration = explorer.check(depth: 10)
        #expect(exploration.gaps.count == 2)
        #expect(exploration.configurations == 434)
        #expect(exploration.transitions == 721)
    }

    @Test("a fetch whose second value cannot be decoded")
    func decoded() {
        let explorer = Screen.explorer { world, servers in
            world.always("what cannot be decoded is not shown") { $0.shown?.fetched?.value != 2 }
            world.sometimes("it fails beside the value before") {
                $0.shown?.fetched.map { $0.value == 1 && $0.refreshFailure != nil } ?? false
            }
        } _: { world, servers in
            .fetching(on: world.scheduler) { servers[0].get() }
                .decoded { number in
                    if number == 2 { throw Refused() }
                    return number
                }
        }
        let exploration = explorer.check(depth: 40)
        expect(exploration, 48, 116)
    }

    @Test("a fetch whose value is stored")
    func persisted() {
        let explorer = Screen.explorer { world, servers in
            let storage = MemoryPersistence(on: world.scheduler)
            return .fetching(on: world.scheduler) { servers[0].get() }
                .persisted(using: storage.source(for: StorageKey<Int>("number")))
        }
        let exploration = explorer.check(depth: 40)
        expect(exploration, 38, 88)
    }
}
