import Synchronization
import TestSupport
import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct CartProcessesTests {
    @Test("of what four processes add at once nothing is lost")
    func fourAtOnce() async throws {
        let home = try TemporaryFolder()
        let events = ["load"] + Array(repeating: "add", count: 25)
        // Not by the shell's `wait`, which needs a signal that may be blocked.
        let four = #"{ for n in 1 2 3 4; do "$0" "$@" & done; } | cat; exit"#
        let outcome = try await ToolRun(in: home, after: four).run(
            ["--latency", "0", "--cart", "cart.json", "--events", events.joined(separator: ",")])
        #expect(outcome.code == 0)
        #expect(outcome.errors == "")
        #expect(outcome.lines.filter { $0.hasPrefix("added: ") }.count == 100)
        #expect(try CartFile(path: home.file("cart.json")).load().count == 100)
        #expect(try home.visibleNames() == ["cart.json"])
    }

    @Test("a process that is killed at any moment leaves the old cart or the new one, whole, and no litter")
    func kills() async throws {
        var random = SeededGenerator(seed: 21)
        let home = try TemporaryFolder()
        let store = CartFile(path: home.file("cart.json"), notice: { Issue.record("\($0)") })
        var kept = 0
        for round in 1...rounds(3, stress: 10) {
            let lines = Int.random(in: 1...24, using: &random)
            let spins = Int.random(in: 0...100_000, using: &random)
            let said = try await addUntilKilled(in: home, afterLines: lines, spins: spins)
            let count = try store.load().count
            // What was said to be added is there; the next piece may be.
            let least = said ?? kept
            #expect((least...least + 1).contains(count), "kill \(round)")
            #expect(try home.visibleNames().filter { $0 != "cart.json" }.count <= 1, "kill \(round)")
            kept = count
            if kept > Cart.maximumQuantity / 2 {
                _ = try store.change { $0 = Cart() }
                kept = 0
            }
        }
        _ = try store.change {
            $0.lines.reverse(); $0.lines.append(.oneB)
        }
        #expect(try home.visibleNames() == ["cart.json"])
    }

    /// - Returns: The number of pieces in the last line that was written.
    private func addUntilKilled(
        in home: borrowing TemporaryFolder, afterLines lines: Int, spins: Int
    ) async throws -> Int? {
        let events = ["load"] + Array(repeating: "add", count: 100)
        let reader = LineReader()
        let outcome = try await ToolRun(in: home).run(
            ["--latency", "0", "--cart", "cart.json", "--events", events.joined(separator: ",")],
            output: reader.channel.writing
        ) { tool in
            for _ in 1...lines { reader.readLine() }
            // Some way into whatever it does next.
            var spun = 0
            while spun < spins { spun += 1 }
            tool.send(9)
        }
        #expect(outcome == Outcome(code: 128 + 9, output: "", errors: ""))
        reader.channel.closeWriting()
        while reader.readLine() {}
        return reader.count.withLock { $0 }
    }
}

/// What a process has said of its cart so far.
private final class LineReader: Sendable {
    let channel = Channel()
    let count = Mutex<Int?>(nil)

    /// - Returns: Whether there was one more line.
    @discardableResult
    func readLine() -> Bool {
        guard let line = channel.readLine() else { return false }
        if line.hasPrefix("added: ") || line.hasPrefix("loaded: "), let last = line.split(separator: " ").last
        {
            count.withLock { $0 = Int(last) ?? $0 }
        }
        return true
    }
}
