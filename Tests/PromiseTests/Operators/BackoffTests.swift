import Promise
import Testing

@Suite struct BackoffTests {
    private func delays(_ backoff: Backoff, _ count: Int = 5) -> [Duration] {
        (1...count).map { backoff.delay(afterAttempt: $0) }
    }

    @Test("R2: a backoff of none or a constant has the same delay for every attempt") func constant() {
        #expect(delays(.none) == Array(repeating: .zero, count: 5))
        #expect(delays(.constant(.milliseconds(7))) == Array(repeating: .milliseconds(7), count: 5))
        #expect(delays(.constant(.seconds(-1))) == Array(repeating: .zero, count: 5))
    }

    @Test("R2: exponential doubles exactly, up to its limit") func exponential() {
        let backoff = Backoff.exponential(from: .milliseconds(100), upTo: .seconds(1))
        #expect(delays(backoff) == [100, 200, 400, 800, 1000].map { .milliseconds($0) })
        let half = Backoff.exponential(from: .milliseconds(100), factor: 1.5, upTo: .seconds(60))
        #expect(delays(half, 3) == [.milliseconds(100), .milliseconds(150), .milliseconds(225)])
    }

    @Test("R2: a large attempt number does not overflow", arguments: [64, 1025, 1_000_000, Int.max])
    func bounded(_ attempt: Int) {
        let longest = Duration.seconds(Int64.max)
        #expect(
            Backoff.exponential(from: .seconds(1), upTo: .seconds(60)).delay(afterAttempt: attempt)
                == .seconds(60))
        #expect(Backoff.exponential(from: .seconds(1), upTo: longest).delay(afterAttempt: attempt) == longest)
        #expect(Backoff.exponential(from: .zero, upTo: longest).delay(afterAttempt: attempt) == .zero)
        let jittered = Backoff.exponential(from: .seconds(1), factor: .infinity, upTo: longest)
            .jittered(by: 1, seed: .max).delay(afterAttempt: attempt)
        #expect(jittered >= .zero && jittered <= longest)
    }

    @Test("R2: invalid parameters are clamped to the nearest valid ones") func odd() {
        let limit = Duration.seconds(10)
        for factor in [0, -3, 0.5, .nan, 1] {
            let backoff = Backoff.exponential(from: .seconds(2), factor: factor, upTo: limit)
            #expect(delays(backoff, 3) == [.seconds(2), .seconds(2), .seconds(2)])
        }
        #expect(delays(.exponential(from: .seconds(-2), upTo: limit), 2) == [.zero, .zero])
        #expect(delays(.exponential(from: .seconds(2), upTo: .seconds(-1)), 2) == [.zero, .zero])
        #expect(delays(.exponential(from: .seconds(20), upTo: limit), 2) == [limit, limit])
        let backoff = Backoff.exponential(from: .seconds(1), upTo: limit)
        #expect(
            [-1, 0, 1].map { backoff.delay(afterAttempt: $0) } == [.seconds(1), .seconds(1), .seconds(1)])
    }

    @Test("R2: a jitter stays within its bounds and is spread evenly over them") func jitterBounds() {
        let backoff = Backoff.constant(.seconds(1)).jittered(by: 0.5, seed: 42)
        let all = delays(backoff, 1000)
        #expect(all.allSatisfy { $0 >= .milliseconds(500) && $0 <= .seconds(1) })
        // 1,000 delays from this seed, spread evenly over the four quarters of the range.
        for quarter in 0..<4 {
            let low = Duration.milliseconds(500 + 125 * quarter)
            let count = all.count { $0 >= low && $0 < low + .milliseconds(125) }
            #expect((200...300).contains(count))
        }
    }

    @Test("R2: equal seeds give equal delays, different seeds different ones") func seeds() {
        let backoff = Backoff.exponential(from: .seconds(1), upTo: .seconds(60))
        #expect(delays(backoff.jittered(by: 1, seed: 1)) == delays(backoff.jittered(by: 1, seed: 1)))
        #expect(delays(backoff.jittered(by: 1, seed: 1)) != delays(backoff.jittered(by: 1, seed: 2)))
        #expect(delays(backoff.jittered(by: 1, seed: 1).jittered(by: 0, seed: 3)) == delays(backoff))
        #expect(delays(backoff.jittered(by: -1, seed: 1)) == delays(backoff))
        #expect(delays(backoff.jittered(by: .nan, seed: 1)) == delays(backoff))
        #expect(delays(backoff.jittered(by: 7, seed: 1)) == delays(backoff.jittered(by: 1, seed: 1)))
    }
}
