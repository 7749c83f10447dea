import Promise
import Testing

/// Promises/A+ 2.3, the resolution procedure: how the result of a handler resolves a promise.
///
/// The closures of `flatMap`, `then` and `recover` return promises, those of other operators values; the
/// types decide which. So 2.3.3 (any object with a `then` is treated as a promise) does not apply.
@Suite struct APlusResolutionTests {
    // MARK: 2.3.1

    @Test("R1, A+ 2.3.1: a promise resolved with itself is rejected", arguments: Moment.allCases)
    func itself(_ moment: Moment) {
        for isRecovering in [false, true] {
            let own = Box<Promise<Int>>()
            let settling = moment.promise(isRecovering ? rejected : fulfilled)
            let promise =
                isRecovering
                ? settling.promise.recover { _ in own.value! } : settling.promise.flatMap { _ in own.value! }
            own.value = promise
            let log = promise.traced()
            settling.settle()
            #expect(log.lines == ["!\(PromiseError.resolvedWithItself)"])
            own.value = nil
        }
    }

    /// A+ requires no more than that: a longer cycle, of promises that are all running, is not detected. One that closes
    /// while its first member starts is.
    @Test(
        "R1, A+ 2.3.1: promises that wait for each other in a cycle are rejected or stay pending until cancelled",
        arguments: Moment.allCases, 2...4)
    func circle(_ moment: Moment, _ length: Int) {
        weak var token: Token?
        do {
            let held = Token()
            token = held
            let ring = Box<[Promise<Int>]>()
            let gates = (0..<length).map { _ in moment.promise(fulfilled) }
            let members = gates.enumerated().map { index, gate in
                gate.promise.flatMap { _ in ring.value![(index + 1) % length] }
            }
            ring.value = members
            let logs = members.map { member in
                member.map { value in withExtendedLifetime(held) { value } }.traced()
            }
            for gate in gates { gate.settle() }
            if moment == .fromTheStart {
                for log in logs { #expect(log.lines == ["!\(PromiseError.resolvedWithItself)"]) }
            } else {
                for log in logs { #expect(log.lines.isEmpty) }
                members[length - 1].cancel()
                for log in logs { #expect(log.lines == ["!CancellationError()"]) }
            }
            ring.value = nil
        }
        #expect(token == nil)
    }

    // MARK: 2.3.2

    /// A promise resolved with `next` by each operator that can do so.
    private func followers(of next: Promise<Int>) -> [Promise<Int>] {
        [
            Promise.value(0).flatMap { _ in next }, Promise.value(0).then { _ in next },
            Promise<Int>(error: Boom()).recover { _ in next }, Promise(next),
            Promise.value(0).flatMap { _ in Promise.value(0).flatMap { _ in next } },
        ]
    }

    @Test(
        "R1, A+ 2.3.2.1: a promise resolved with a pending promise is pending as long as that is",
        arguments: Moment.later)
    func followsPending(_ moment: Moment) {
        for (outcome, heard) in [(fulfilled, "7"), (rejected, "!e")] {
            let settling = moment.promise(outcome)
            let followers = followers(of: settling.promise)
            let logs = followers.map { $0.traced() }
            for (follower, log) in zip(followers, logs) {
                #expect(follower.result == nil)
                #expect(log.lines.isEmpty)
            }
            settling.settle()
            for log in logs { #expect(log.lines == [heard]) }
        }
    }

    @Test(
        "R1, A+ 2.3.2.2: a promise resolved with a fulfilled promise has the same value",
        arguments: Moment.allCases)
    func followsFulfilled(_ moment: Moment) {
        let settling = moment.promise(fulfilled)
        let logs = followers(of: settling.promise).map { $0.traced() }
        settling.settle()
        for log in logs { #expect(log.lines == ["7"]) }
    }

    @Test(
        "R1, A+ 2.3.2.3: a promise resolved with a rejected promise has the same error",
        arguments: Moment.allCases)
    func followsRejected(_ moment: Moment) {
        let reason = Reason()
        let settling = moment.promise(Result<Int, any Error>.failure(reason))
        let followers = followers(of: settling.promise)
        for follower in followers { follower.catch { _ in } }
        settling.settle()
        for follower in followers { #expect(follower.result?.error as? Reason === reason) }
    }

    // MARK: 2.3.4

    @Test(
        "R1, A+ 2.3.4: a promise resolved with a value that is not a promise is fulfilled with it",
        arguments: Moment.allCases)
    func value(_ moment: Moment) {
        let token = Token()
        let settling = moment.promise(fulfilled)
        let promise = settling.promise.map { _ in token }
        promise.start()
        settling.settle()
        #expect(promise.result?.value === token)
    }

    @Test(
        "R1, not A+ 2.3.2: map can have a promise as its value, which is not flattened",
        arguments: Moment.allCases)
    func nested(_ moment: Moment) {
        let runs = Counter()
        let inner = Promise<Int> { $0.fulfill(runs.up()) }
        let settling = moment.promise(fulfilled)
        let outer = settling.promise.map { _ in inner }
        outer.start()
        settling.settle()
        #expect(runs.value == 0)
        #expect(outer.result?.value?.start().result?.value == 1)
        #expect(outer.flatMap { $0 }.traced().lines == ["1"])
    }
}
