import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// Numbers from servers and files, of any size, end no process.
@Suite struct HostileNumberTests {
    private static let numbers = [Int.min, -1, 0, 1, Int.max - 1, Int.max]

    private func fetching(_ completed: Int, _ total: Int?) -> Source<Fetchable<Int>> {
        .constant(.fetching(.init(progress: .init(completed: completed, total: total))))
    }

    @Test("SA-47: the progress of any two fetches is added", arguments: numbers, numbers)
    func progress(_ left: Int, _ right: Int) throws {
        let both = fetching(left, left).combinedFetch(with: fetching(right, right))
            .combinedFetch(with: fetching(right, left))
        let progress = try #require(both.value.fetching?.progress)
        let isWhole = fetching(left, left).combinedFetch(with: fetching(right, right)).value.fetching?
            .progress
        let (sum, isTooLarge) = left.addingReportingOverflow(right)
        #expect(isWhole?.total == (isTooLarge ? nil : sum))
        #expect(isWhole?.completed == (isTooLarge ? (left < 0 ? .min : .max) : sum))
        let fraction = progress.fraction ?? 0
        #expect((0...1).contains(fraction))
    }

    @Test("a file that claims any size is an error", arguments: [Int64.max, Int64.max - 1, 1 << 62])
    func size(_ size: Int64) throws {
        let fixture = try StorageFixture()
        let file = open(fixture.folder.path("number.json"), O_CREAT | O_WRONLY, 0o600)
        defer { close(file) }
        // Not every file system has files of that size.
        guard ftruncate(file, off_t(size)) == 0 else { return }
        #expect(fixture.stored(.number).error is StorageError)
        #expect(fixture.files(maximumSize: 1 << 20).source(for: .number).value.error is StorageError)
    }

    @Test(
        "SA-64: a stored timer of any duration waits at most ten thousand years",
        arguments: [
            Duration(secondsComponent: .max, attosecondsComponent: 0),
            Duration(secondsComponent: .min, attosecondsComponent: 0), .zero, .seconds(-1), .seconds(5),
        ])
    func timers(_ duration: Duration) {
        let now = Date(timeIntervalSince1970: 0)
        for due in [
            Date.distantPast, now.addingTimeInterval(3), .distantFuture,
            Date(timeIntervalSince1970: .infinity),
        ] {
            let timer = SavedTimer(duration: duration, remaining: duration, due: due)
            for policy in [TimerRestoration.dueTime, .remainingTime, .fromStart] {
                let rest = policy.rest(of: timer, at: now)
                #expect(rest >= .zero && rest <= .longest, "\(policy)")
                #expect(policy == .dueTime || rest == min(max(.zero, duration), .longest), "\(policy)")
            }
        }
    }

    @Test("values whose sizes add up to more than a number can be fill a cache")
    func sizes() {
        struct Huge: Sendable, CacheSizeRepresentable { var cacheSize: Int { .max } }
        let cache = CachePersistence(.none, on: TestScheduler())
        cache.set([Huge(), Huge(), Huge()], for: StorageKey<[Huge]>("huge"))
        for number in 1...100 { cache.set(Huge(), for: StorageKey<Huge>("\(number)")) }
        #expect(cache.count == 101 && cache.totalSize > 0)
    }
}
