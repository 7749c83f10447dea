import Foundation
import MemoryInUse

/// One step on a promise of one fate.
struct Case: Sendable {
    let step: Step
    let fate: Fate

    var name: String { "\(step.name), on a promise that is: \(fate.name)" }

    func run() {
        fate.happen { [step] promise in step.apply(promise, Token()) }
    }

    static let all = Step.all.flatMap { step in Fate.all.map { Case(step: step, fate: $0) } }
}

/// A leak that was found.
struct Leak: Error {
    let message: String
}

@MainActor
enum Walk {
    /// Runs every case once; each must release all its tokens.
    static func once() throws {
        for one in Case.all {
            one.run()
            try settle(one.name)
        }
    }

    /// Runs `count` cases in turn. After the first tenth, the memory in use may not grow by more than a mebibyte.
    static func repeated(_ count: Int) throws {
        let warmUp = max(count / 10, 1)
        try walk(0..<warmUp)
        let before = memory()
        try walk(warmUp..<max(count, warmUp + 1))
        let growth = memory() - before
        print("After \(count) cases, of \(Case.all.count), the memory in use has grown by \(growth) bytes.")
        guard growth > 1 << 20 else { return }
        print("That is too much. Which cases grow by themselves?")
        let culprits = try culprits()
        throw Leak(
            message:
                "The memory in use grew by \(growth) bytes after the warm-up; up to \(1 << 20) is right. "
                + "Cases that grow alone:\n" + culprits)
    }

    /// Waits for the release of the tokens only once per round of all cases, because waiting takes time.
    private static func walk(_ range: Range<Int>) throws {
        let all = Case.all
        for number in range {
            all[number % all.count].run()
            if number % all.count == all.count - 1 { try settle("a round of all cases") }
        }
        try settle("the last cases")
    }

    /// What each case leaks, if anything.
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

    /// The memory in use, once the cancelled timers have ended.
    private static func memory(after seconds: Double = 0.05) -> Int {
        serveMainQueue(for: seconds)
        return Int(bytes_in_use())
    }

    // Not by an `async` main: valgrind does not survive the way in which that leaves the main thread.
    private static func serveMainQueue(for seconds: Double) {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: seconds))
    }
}
