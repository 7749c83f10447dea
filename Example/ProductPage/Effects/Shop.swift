import PromisedSystem
import Synchronization

/// A shop that is not there: it answers after a while, and now and then it fails.
final class Shop: Sendable {
    private let latency: Duration
    private let failRate: Double
    private let dice: Mutex<Dice>

    /// - Parameters:
    ///   - latency: How long an answer takes.
    ///   - failRate: The share of answers that are failures, from 0 to 1.
    ///   - seed: Makes the failures the same on each run; nil for others each time.
    init(latency: Duration, failRate: Double, seed: UInt64?) {
        self.latency = latency
        self.failRate = failRate
        dice = Mutex(Dice(state: seed ?? .random(in: 0 ... .max)))
    }

    /// An answer of the shop. The dice are thrown when it is asked for, not when it is described.
    func answer<Answer: Sendable>(_ answer: @escaping @Sendable () throws -> Answer) -> Promise<Answer> {
        Promise { [self] resolver in
            guard !fails() else {
                throw PageError.failed("\(BundledCatalogue.name): the shop does not answer; try again")
            }
            resolver.fulfill(try answer())
        }
        .delay(latency)
    }

    private func fails() -> Bool { dice.withLock { Double.random(in: 0..<1, using: &$0) } < failRate }
}

/// Random numbers that are the same for the same seed, on every machine (splitmix64).
private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
