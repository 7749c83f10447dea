import Promise
import TestSupport
import Testing

extension Heavy {
    /// Graphs of many links that are not a single chain, and long chains on the main thread.
    @Suite(.tags(.noSharedState)) struct GraphDepthTests {
        /// 25,000, or up to a million by `PROMISED_ROUNDS`.
        private static var many: Int { min(1_000_000, rounds(25_000, stress: 100_000)) }

        /// Each promise derives from an earlier one, so that paths share their lower parts.
        private static func graph(_ source: Promise<Int>) -> [Promise<Int>] {
            var random = SeededGenerator(seed: 11)
            var promises = [source]
            promises.reserveCapacity(many)
            for index in 1..<many {
                // The newest one for depth, every third time a random one for width.
                let from = index % 3 == 0 ? Int.random(in: 0..<index, using: &random) : index - 1
                promises.append(promises[from].map { $0 &+ 1 })
            }
            return promises
        }

        @Test(
            "R10: releasing a graph of many promises, idle or pending, uses constant stack",
            arguments: [false, true])
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

        @Test("R10: settling and releasing a graph of many promises uses constant stack") func heard() {
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

        @Test("R10: many maps and many recursive flatMaps run on the main thread")
        @MainActor func mainThread() {
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
