import Foundation
import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// How many rounds a test makes: `base`, and more where somebody has the time.
func rounds(_ base: Int) -> Int {
    base * max(1, ProcessInfo.processInfo.environment["PROMISED_ROUNDS"].flatMap { Int($0) } ?? 1)
}

/// What the library reports about errors that nobody saw, collected once for the whole process.
enum Reports {
    private static let all: Log<PromiseDiagnostics.Report> = {
        let log = Log<PromiseDiagnostics.Report>()
        PromiseDiagnostics.handler = { log.add($0) }
        return log
    }()

    /// To be called before what is to be reported.
    static func begin() { _ = all }

    /// Those that tell of this name, which no other test uses.
    static func about(_ name: String) -> [PromiseDiagnostics.Report] {
        all.entries.filter { $0.description.contains(name) }
    }

    /// Those about a promise that was made here.
    static func of(_ origin: Origin) -> [PromiseDiagnostics.Report] {
        all.entries.filter { $0.origin == origin }
    }
}

/// Runs `body` on a thread with a stack of 512 KiB and waits for its end.
func onSmallStack(_ body: @escaping @Sendable () -> Void) async { await onThread(stack: 512 * 1024, body) }

/// Runs `body` on a thread of its own and waits for its end.
func onThread(stack: Int? = nil, _ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        let thread = Thread {
            body()
            continuation.resume()
        }
        if let stack { thread.stackSize = stack }
        thread.start()
    }
}

/// Runs `body` on so many threads at once and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
        for index in 0..<count { group.addTask { await onThread { body(index) } } }
    }
}

extension SerialScheduler {
    /// Returns when everything has run that was scheduled before.
    func caughtUp() async {
        if let virtual = self as? TestScheduler { return virtual.advance() }
        await withCheckedContinuation { continuation in
            schedule(after: .zero) { continuation.resume() }
        }
    }
}

extension System {
    /// Returns when a settled state is one of these.
    func settled(_ isIt: @escaping @Sendable (State) -> Bool) async {
        for await state in settled.values where isIt(state) { return }
    }
}

/// The same pseudo-random numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
