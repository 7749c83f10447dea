import Promise
import TestSupport
import Testing

@testable import PromisedTesting

/// What a wait in real time makes of the threads of Swift's pool.
@Suite(.tags(.sharedState)) struct PoolPatienceTests {
    private static func rounds(startTask: @escaping (@escaping @Sendable () -> Void) -> Void) -> Int {
        var patience = PoolPatience(.seconds(600), startTask: startTask)
        while !patience.isOver() {}
        return patience.round
    }

    @Test("a wait is in vain at its deadline if a new task was run soon")
    func responsive() { #expect(Self.rounds { $0() } == 1) }

    @Test("a wait is ten times as long if no new task was run")
    func blocked() { #expect(Self.rounds { _ in } == 10) }

    @Test("a wait ends with the first deadline before which a new task was run soon")
    func freed() {
        var started = 0
        let rounds = Self.rounds { body in
            started += 1
            if started == 3 { body() }
        }
        #expect(rounds == 3)
    }

    @Test("a task of an earlier round does not count")
    func lateTask() {
        var tasks: [@Sendable () -> Void] = []
        var patience = PoolPatience(.seconds(600)) { tasks.append($0) }
        let first = patience.isOver()
        tasks[0]()
        let second = patience.isOver()
        #expect(!first && !second)
        #expect(patience.waited == .seconds(1800))
    }

    @Test("a task that was run late in its round does not count")
    func slowTask() {
        var tasks: [@Sendable () -> Void] = []
        // Soon is at once here, so that any task is late.
        var patience = PoolPatience(.nanoseconds(1)) { tasks.append($0) }
        tasks[0]()
        let isOver = patience.isOver()
        #expect(!isOver)
    }

    @Test(
        "finish of a scheduler names async work that has not ended, and says how long it has waited",
        arguments: [Duration.zero, .milliseconds(10)])
    func schedulerInVain(limit: Duration) async {
        let told = await onThread {
            let scheduler = TestScheduler()
            scheduler.asyncWorkLimit = limit
            let (gate, resolver) = Promise<Int>.pending()
            let promise = Promise({ try await gate.value }, file: "Shop/Tea.swift", line: 7).start(
                on: scheduler)
            let texts = failures { scheduler.finish() }
            resolver.fulfill(1)
            scheduler.finish()
            return texts + ["\((try? promise.result?.get()) ?? 0)"]
        }
        #expect(told.count == 2 && told.last == "1")
        let text = told[0]
        let reason =
            "1 async work still open, made at Shop/Tea.swift:7. It waits for something outside virtual time, or for a "
            + "promise that was not settled."
        // The number is not named: for a busy pool it is a multiple of the limit.
        #expect(
            limit == .zero
                ? text == reason : text.hasPrefix(reason + " The test has waited for it in vain, 0."))
        #expect(limit == .zero || text.hasSuffix(" seconds in real time."))
    }
}
