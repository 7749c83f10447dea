import Testing

@testable import PromisedTesting

/// What a wait in real time makes of the threads of Swift's pool.
@Suite struct PoolPatienceTests {
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
}
