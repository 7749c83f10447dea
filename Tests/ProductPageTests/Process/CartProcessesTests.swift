import Foundation
import ProductReading
import Synchronization
import TestSupport
import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10)), .tags(.noSharedState)) struct CartProcessesTests {
    @Test("of what four processes add at once nothing is lost")
    func fourAtOnce() async throws {
        let home = try TemporaryFolder()
        let events = ["load"] + Array(repeating: "add", count: 10)
        // So few that none of them ever waits ten seconds for the others, which would be its error.
        // Not by the shell's `wait`, which needs a signal that may be blocked.
        let four = #"{ for n in 1 2 3 4; do "$0" "$@" & done; } | cat; exit"#
        let outcome = try await home.run(
            "--latency 0 --cart cart.json --events \(events.joined(separator: ","))", after: four)
        #expect(outcome.code == 0 && outcome.errors == "")
        #expect(outcome.lines.filter { $0.hasPrefix("added: ") }.count == 40)
        #expect(try CartFile(path: home.file("cart.json")).load().count == 40)
        #expect(try home.visibleNames() == ["cart.json"])
    }

    @Test("a process that is killed at any moment leaves the old cart or the new one, whole, and no litter")
    func kills() async throws {
        var random = SeededGenerator(seed: 21)
        let home = try TemporaryFolder()
        let store = CartFile(path: home.file("cart.json"), notice: { Issue.record("\($0)") })
        let events = "load\n" + String(repeating: "add\n", count: 100)
        let said = Mutex(0)
        for round in 1...rounds(3, stress: 10) {
            let lines = Int.random(in: 1...24, using: &random)
            let spins = Int.random(in: 0...100_000, using: &random)
            let outcome = try await home.talk("--latency 0 --cart cart.json --events -") { tool in
                // More may come: so it never ends before it is killed.
                tool.input.write(events)
                func readLine() -> Bool {
                    guard let line = tool.output.readLine() else { return false }
                    let isCount = line.hasPrefix("added: ") || line.hasPrefix("loaded: ")
                    if isCount, let count = line.split(separator: " ").last.flatMap({ Int($0) }) {
                        said.withLock { $0 = count }
                    }
                    return true
                }
                for _ in 1...lines { _ = readLine() }
                // Some way into whatever it does next.
                var spun = 0
                while spun < spins { spun += 1 }
                tool.send(SIGKILL)
                while readLine() {}
            }
            #expect(outcome == Outcome(128 + 9))
            // What was said to be added is there; the next piece may be.
            let (least, count) = (said.withLock { $0 }, try store.load().count)
            #expect((least...least + 1).contains(count), "kill \(round)")
            #expect(try home.visibleNames().filter { $0 != "cart.json" }.count <= 1, "kill \(round)")
            said.withLock { $0 = count }
            if count > Cart.maximumQuantity / 2 {
                _ = try store.change { $0 = Cart() }
                said.withLock { $0 = 0 }
            }
        }
        _ = try store.change { $0.lines.append(.oneB) }
        #expect(try home.visibleNames() == ["cart.json"])
    }
}
