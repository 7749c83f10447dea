import Foundation
import MemoryInUse

/// One step on a promise of one fate.
struct Case: Sendable {
    let step: Step
    let fate: Fate

    var name: String { "\(step.name), on a promise that is: \(fate.name)" }

    func run() {
        fate.happen { [step] promise in step.apply(promise, Token.made()) }
    }

    static let all = Step.all.flatMap { step in Fate.all.map { Case(step: step, fate: $0) } }
}

/// Something that stayed.
struct Leak: Error {
    let message: String
}

@MainActor
enum Walk {
    /// Every case once; what should be gone is gone after each.
    static func once() throws {
        for one in Case.all {
            one.run()
            try settle(one.name)
        }
    }

    /// Every case in each of `rounds` rounds. After the first tenth, the memory in use may not grow by more
    /// than a mebibyte.
    static func repeated(_ rounds: Int) throws {
        let warmUp = max(rounds / 10, 1)
        for _ in 0..<warmUp { try round() }
        let before = memory()
        for _ in warmUp..<max(rounds, warmUp + 1) { try round() }
        let growth = memory() - before
        print(
            "After \(rounds) rounds of \(Case.all.count) cases the memory in use has grown by \(growth) bytes."
        )
        guard growth > 1 << 20 else { return }
        print("That is too much. Which cases grow by themselves?")
        let culprits = try culprits()
        throw Leak(
            message:
                "The memory in use grew by \(growth) bytes after the warm-up; up to \(1 << 20) is right. "
                + "Cases that grow alone:\n" + culprits)
    }

    private static func round() throws {
        for one in Case.all { one.run() }
        try settle("a round of all cases")
    }

    /// What each case leaves behind, where that is something.
    private static func culprits() throws -> String {
        let repeats = 500
        var lines: [String] = []
        for one in Case.all {
            for _ in 0..<repeats / 10 { one.run() }
            try settle(one.name)
            let before = memory(after: 0.003)
            for _ in 0..<repeats { one.run() }
            try settle(one.name)
            let growth = Double(memory(after: 0.003) - before) / Double(repeats)
            if growth > 8 { lines.append("  \(Int(growth)) bytes each time: \(one.name)") }
        }
        return lines.isEmpty ? "  none" : lines.joined(separator: "\n")
    }

    /// Waits until no token is left, while queues, timers and tasks end.
    private static func settle(_ name: String) throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while Token.count > 0 {
            guard ContinuousClock.now < deadline else {
                throw Leak(message: "Tokens still alive after 20 s: \(Token.count), after \(name)")
            }
            serveMainQueue(for: 0.001)
        }
    }

    /// The memory in use, once the timers have ended that were called off.
    private static func memory(after seconds: Double = 0.05) -> Int {
        serveMainQueue(for: seconds)
        return Int(bytes_in_use())
    }

    // Not by an `async` main: valgrind does not survive the way in which that leaves the main thread.
    private static func serveMainQueue(for seconds: Double) {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: seconds))
    }
}
