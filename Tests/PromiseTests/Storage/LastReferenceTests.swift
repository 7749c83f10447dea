import Promise
import PromisedTesting
import Synchronization
import TestSupport
import Testing

extension Heavy {
    /// Delivery that races with the release of the last reference that could cancel: after that release, the
    /// storage is changed without synchronisation.
    @Suite(.tags(.sharedState)) struct LastReferenceTests {
        private static let live = Atomic(0)

        private final class Counted: Sendable {
            init() { LastReferenceTests.live.wrappingAdd(1, ordering: .relaxed) }
            deinit { LastReferenceTests.live.wrappingSubtract(1, ordering: .relaxed) }
        }

        @Test(
            "R4, R6: fulfilling against releasing, after cancelling or not, runs a handler at most once",
            arguments: [false, true], [0, 1, 3])
        func fulfilAgainstLettingGo(cancels: Bool, links: Int) {
            let count = rounds(500, stress: 3_000)
            let before = Self.live.load(ordering: .relaxed)
            let runs = (0..<count).map { _ in Counter() }
            let pairs = runs.map { runs in
                let counted = Counted()
                let (source, resolver) = Promise<Int>.pending()
                var promise = source
                for _ in 0..<links { promise = promise.map { $0 + 1 } }
                let handled = promise.done { value in
                    withExtendedLifetime(counted) { if value == links { runs.up() } }
                }
                return (resolver: Box(resolver), handled: Box(handled))
            }
            race(
                count,
                {
                    pairs[$0].resolver.value?.fulfill(0)
                    pairs[$0].resolver.value = nil
                },
                {
                    if cancels { pairs[$0].handled.value?.cancel() }
                    pairs[$0].handled.value = nil
                })
            #expect(runs.allSatisfy { $0.value == 1 || cancels && $0.value == 0 })
            #expect(Self.live.load(ordering: .relaxed) == before)
        }

        @Test("the retained promise of a handler that has run is settled")
        func kept() {
            let (promise, resolver) = Promise<Int>.pending()
            let handled = promise.done { _ in }
            resolver.fulfill(1)
            #expect(handled.result != nil)
            let later = Counter()
            handled.done { later.up() }
            #expect(later.value == 1)
        }

        @Test("R6: a handler may cancel and release its own promise", arguments: [false, true])
        func cancelledByItself(goesOn: Bool) {
            let before = Self.live.load(ordering: .relaxed)
            do {
                let runs = Counter()
                let (promise, resolver) = Promise<Int>.pending()
                let handled = Box<Promise<Void>>()
                let counted = Counted()
                handled.value = promise.done { _ in
                    _ = withExtendedLifetime(counted) { runs.up() }
                    handled.value?.cancel()
                    handled.value = nil
                }
                let next = goesOn ? handled.value?.map { 1 } : nil
                next?.catch { _ in runs.up() }
                resolver.fulfill(1)
                #expect(runs.value == (goesOn ? 2 : 1))
                #expect(next?.result.map { $0.error is CancellationError } ?? true)
            }
            #expect(Self.live.load(ordering: .relaxed) == before)
        }
    }
}
