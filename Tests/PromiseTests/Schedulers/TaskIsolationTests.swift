import Promise
import PromisedTesting
import TestSupport
import Testing

/// Where `async` work runs: the work on its scheduler, what it awaits where Swift puts it.
@Suite(.tags(.sharedState)) struct TaskIsolationTests {
    private actor Elsewhere {
        func isOn(_ scheduler: any SerialScheduler) -> Bool { scheduler.isCurrent }
    }

    @concurrent private static func isOnConcurrently(_ scheduler: any SerialScheduler) async -> Bool {
        scheduler.isCurrent
    }

    @Test(
        "actors and concurrent functions that the work awaits do not run on its scheduler",
        arguments: [true, false])
    func elsewhere(isMain: Bool) async throws {
        let scheduler: any SerialScheduler = isMain ? MainScheduler.main : QueueScheduler.serial("work")
        let places = try await Promise {
            var places = [scheduler.isCurrent]
            places.append(await Elsewhere().isOn(scheduler))
            places.append(scheduler.isCurrent)
            places.append(await Self.isOnConcurrently(scheduler))
            places.append(scheduler.isCurrent)
            return places
        }.start(on: scheduler).value
        #expect(places == [true, false, true, false, true])
    }

    @Test("a chain that the work starts runs on its scheduler, before and after it has awaited something")
    func chains() async throws {
        let scheduler = QueueScheduler.serial("work")
        let places = try await Promise {
            let before = try await Promise.value(1).delay(.zero).map { _ in scheduler.isCurrent }.value
            _ = await Elsewhere().isOn(scheduler)
            let after = try await Promise.value(1).delay(.zero).map { _ in scheduler.isCurrent }.value
            return [before, after]
        }.start(on: scheduler).value
        #expect(places == [true, true])
        let isStartedThere = try await Promise { try await Promise { $0.fulfill(scheduler.isCurrent) }.value }
            .start(on: scheduler).value
        #expect(isStartedThere)
    }

    @Test(
        "a chain that is started elsewhere in the task of the work runs on its scheduler",
        arguments: [true, false])
    func chainsElsewhere(hasCaptureList: Bool) async throws {
        @concurrent @Sendable func place(_ scheduler: any SerialScheduler) async throws -> Bool {
            try await Promise.value(1).delay(.zero).map { _ in scheduler.isCurrent }.value
        }
        let scheduler = QueueScheduler.serial("work")
        let promise =
            hasCaptureList
            ? Promise { [scheduler] in try await place(scheduler) } : Promise { try await place(scheduler) }
        #expect(try await promise.start(on: scheduler).value)
    }

    @Test("work begins in the order in which it was started")
    func order() async throws {
        let (scheduler, log) = (QueueScheduler.serial("work"), Lock<[Int]>([]))
        let all = (0..<1_000).map { number in Promise { log.withLock { $0.append(number) } } }
        for promise in all { promise.start(on: scheduler) }
        for promise in all { try await promise.value }
        #expect(log.withLock { $0 } == Array(0..<1_000))
    }

    @Test("under a test scheduler everything runs in virtual time")
    func virtual() {
        let (scheduler, log) = (TestScheduler(), Lock<[Bool]>([]))
        Promise {
            let isThere = await Self.isOnConcurrently(scheduler)
            log.withLock { $0 += [scheduler.isCurrent, isThere] }
        }.start(on: scheduler)
        scheduler.advance()
        #expect(log.withLock { $0 } == [true, true])
    }
}
