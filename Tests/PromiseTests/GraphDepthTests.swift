import Promise
import TestSupport
import Testing

extension Heavy {
    /// What has a million links without being one chain, and what runs on the main thread.
    @Suite struct GraphDepthTests {
        /// A million where somebody has the time.
        private static var many: Int { min(1_000_000, rounds(100_000)) }

        /// Each promise derives from one that was made before it, so that paths share their lower ends.
        private static func graph(_ source: Promise<Int>) -> [Promise<Int>] {
            var random = SeededGenerator(seed: 11)
            var promises = [source]
            promises.reserveCapacity(many)
            for index in 1..<many {
                // Now the newest, for depth, now any, for width.
                let from = index % 3 == 0 ? Int.random(in: 0..<index, using: &random) : index - 1
                promises.append(promises[from].map { $0 &+ 1 })
            }
            return promises
        }

        @Test(
            "R10: a graph of many promises, dropped at once, idle or waiting", arguments: [false, true])
        func dropped(isStarted: Bool) {
            weak var token: Token?
            let held = Box(Token())
            token = held.value
            let ends = onThreads({
                let token = held.value
                held.value = nil
                let (gate, opening) = Promise<Int>.pending()
                var promises = Self.graph(gate.map { value in withExtendedLifetime(token) { value } })
                if isStarted { promises.forEach { $0.start() } }
                promises = []
                return !opening.isCancelled
            })
            #expect(ends == [true])
            #expect(token == nil)
        }

        @Test("R10: a graph of many promises, all heard, then dropped") func heard() {
            let ends = onThreads({
                let (gate, opening) = Promise<Int>.pending()
                let promises = Self.graph(gate)
                promises.forEach { $0.start() }
                opening.fulfill(0)
                return promises.allSatisfy { $0.result?.value != nil }
            })
            #expect(ends == [true])
        }

        @Sendable private static func turn(_ left: Int) -> Promise<Int> {
            left == 0 ? .value(7) : Promise.value(left).flatMap { turn($0 - 1) }
        }

        @Test("R10: a million maps and a million turns on the main thread") @MainActor func mainThread() {
            let next: @Sendable (Int) -> Int = { $0 &+ 1 }
            let (gate, opening) = Promise<Int>.pending()
            var chain = gate
            for _ in 0..<Self.many { chain = chain.map(next) }
            let heard = Box(0)
            chain.done { heard.value = $0 }
            opening.fulfill(0)
            #expect(heard.value == Self.many)
            #expect(Self.turn(Self.many).start().result?.value == 7)
        }
    }
}
