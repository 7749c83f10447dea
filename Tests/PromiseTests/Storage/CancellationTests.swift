import Promise
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct CancellationTests {
    @Test("withdrawing the last interest runs onCancel once") func lastInterest() {
        let cancelled = Counter()
        let (promise, resolver) = Promise<Int>.pending()
        resolver.onCancel { cancelled.up() }
        let branches = (0..<3).map { index in promise.map { $0 + index } }
        for branch in branches { branch.catch { _ in } }
        for (index, branch) in branches.enumerated() {
            #expect(cancelled.value == 0)
            #expect(!resolver.isCancelled)
            branch.cancel()
            branch.cancel()
            if index < 2 { #expect(promise.result == nil) }
        }
        #expect(cancelled.value == 1)
        #expect(promise.result?.error is CancellationError)
    }

    @Test("releasing a branch does not withdraw its interest") func dropping() {
        let (promise, resolver) = Promise<Int>.pending()
        do { _ = promise.map { $0 }.start() }
        #expect(!resolver.isCancelled)
        #expect(resolver.fulfill(1))
    }

    @Test("cancelling a branch does not cancel a promise started by start()")
    func startedForGood() {
        let (promise, resolver) = Promise<Int>.pending()
        let shared = promise.map { $0 }
        shared.start()
        let branch = shared.map { $0 }
        branch.catch { _ in }
        branch.cancel()
        #expect(!resolver.isCancelled)
        shared.cancel()
        #expect(resolver.isCancelled)
    }

    @Test("cancelling while the inner promise runs cancels the inner promise", arguments: 0..<4)
    func inner(_ kind: Int) {
        let cancelled = Counter()
        let kept = Box<Resolver<Int>>()
        let work = Promise<Int> {
            $0.onCancel { cancelled.up() }
            kept.value = $0
        }
        let chained = Promise.value(1).flatMap { _ in
            switch kind {
            case 0: work
            case 1: work.map { $0 }
            case 2: Promise.value(1).flatMap { _ in work.recover { Promise(error: $0) } }
            default:
                Promise<Int> {
                    $0.onCancel { cancelled.up() }
                    kept.value = $0
                }
            }
        }
        let last = chained.map { $0 }
        let log = last.traced()
        last.cancel()
        #expect(log.lines == ["!CancellationError()"])
        #expect(cancelled.value == 1)
        #expect(kept.value?.isCancelled == true)
        #expect(chained.result?.error is CancellationError)
    }

    @Test("an inner promise with other observers is not cancelled") func innerShared() {
        let (inner, resolver) = Promise<Int>.pending()
        let other = inner.traced()
        let chained = Promise.value(1).flatMap { _ in inner }
        chained.catch { _ in }
        chained.cancel()
        #expect(!resolver.isCancelled)
        resolver.fulfill(1)
        #expect(other.lines == ["1"])
    }

    @Test("onCancel runs at once if cancelled already, never after another outcome")
    func lateHook() {
        let log = Log()
        let (promise, resolver) = Promise<Int>.pending()
        promise.cancel()
        #expect(resolver.isCancelled)
        resolver.onCancel { log("late") }
        #expect(log.lines == ["late"])
        let (other, otherResolver) = Promise<Int>.pending()
        otherResolver.onCancel { log("never") }
        otherResolver.reject(CancellationError())
        otherResolver.onCancel { log("never") }
        other.cancel()
        #expect(!otherResolver.isCancelled)
        #expect(log.lines == ["late"])
    }

    @Test("several onCancel handlers run in order; settling releases them") func hooks() {
        weak var token: Token?
        let log = Log()
        let (promise, resolver) = Promise<Int>.pending()
        for number in 1...3 { resolver.onCancel { log(number) } }
        promise.cancel()
        #expect(log.lines == ["1", "2", "3"])
        let (other, otherResolver) = Promise<Int>.pending()
        do {
            let held = Token()
            token = held
            otherResolver.onCancel { withExtendedLifetime(held) {} }
        }
        otherResolver.fulfill(1)
        #expect(token == nil)
        withExtendedLifetime(other) {}
    }

    @Test("a running body is notified of the cancellation, and can no longer settle")
    func running() {
        let log = Log()
        let own = Box<Promise<Int>>()
        let promise = Promise<Int> { resolver in
            resolver.onCancel { log("stop") }
            own.value?.cancel()
            log(resolver.isCancelled)
            log(resolver.fulfill(1))
        }
        own.value = promise
        promise.trace(log)
        #expect(log.lines == ["true", "false", "stop", "!CancellationError()"])
        own.value = nil
    }

    @Test(
        "cancelling inside a transform releases the promise that it returns",
        arguments: [true, false])
    func insideTransform(_ isIdle: Bool) {
        weak var token: Token?
        let runs = Counter()
        let own = Box<Promise<Int>>()
        let log: Log
        do {
            let held = Token()
            token = held
            let promise = Promise.value(1).flatMap { _ in
                own.value?.cancel()
                let work = Promise<Int> { resolver in
                    withExtendedLifetime(held) { _ = resolver.fulfill(runs.up()) }
                }
                return isIdle ? work : work.map { value in withExtendedLifetime(held) { value } }
            }
            own.value = promise
            log = promise.traced()
        }
        own.value = nil
        #expect(log.lines == ["!CancellationError()"])
        #expect(runs.value == 0)
        #expect(token == nil)
    }

    @Test("a settled promise cannot be cancelled") func settled() {
        let log = Log()
        let promise = Promise<Int> {
            $0.onCancel { log("cancelled") }
            $0.fulfill(1)
        }
        promise.start().cancel()
        #expect(promise.result?.value == 1)
        Promise.value(1).cancel()
        Promise<Int>(error: Boom()).cancel()
        #expect(log.lines.isEmpty)
    }

    @Test("cancelling releases the closures of the chain at once") func frees() {
        weak var token: Token?
        let (promise, resolver) = Promise<Int>.pending()
        let other = promise.traced()
        let last: Promise<Int>
        do {
            let held = Token()
            token = held
            last = promise.map { value in withExtendedLifetime(held) { value } }
                .flatMap { value in withExtendedLifetime(held) { Promise.value(value) } }
        }
        last.catch { _ in }
        last.cancel()
        #expect(token == nil)
        resolver.fulfill(1)
        #expect(other.lines == ["1"])
    }

    @Test("R7: a long-lived promise does not accumulate cancelled branches") func swept() {
        final class Tokens: Sendable { let all = Lock<[Weak]>([]) }
        struct Weak: Sendable { weak let token: Token? }
        let tokens = Tokens()
        let (promise, resolver) = Promise<Int>.pending()
        promise.start()
        for _ in 0..<1000 {
            let token = Token()
            tokens.all.withLock { $0.append(Weak(token: token)) }
            let branch = promise.map { value in withExtendedLifetime(token) { value } }.start()
            branch.cancel()
        }
        #expect(tokens.all.withLock { $0.count { $0.token != nil } } == 0)
        resolver.fulfill(1)
    }

    @Test("R3: a long-lived promise releases its cancelled branches and their schedulers")
    func sweptWhole() {
        final class Schedulers: Sendable { let all = Lock<[Weak]>([]) }
        struct Weak: Sendable { weak let scheduler: TestScheduler? }
        let schedulers = Schedulers()
        let (promise, resolver) = Promise<Int>.pending()
        promise.start()
        for _ in 0..<1000 {
            let scheduler = TestScheduler()
            schedulers.all.withLock { $0.append(Weak(scheduler: scheduler)) }
            promise.flatMap { .value($0) }.start(on: scheduler).cancel()
        }
        // They are released in batches, before they outnumber the live branches by much.
        #expect(schedulers.all.withLock { $0.count { $0.scheduler != nil } } <= 16)
        resolver.fulfill(1)
    }

    @Test("a branch cancelled during the delivery of an outcome does not receive it")
    func onItsWay() {
        let log = Log()
        let (promise, resolver) = Promise<Int>.pending()
        let second = Box<Promise<Void>>()
        promise.done { _ in
            log("first")
            second.value?.cancel()
        }
        second.value = promise.done { _ in log("second") }
        promise.done { _ in log("third") }
        resolver.fulfill(1)
        #expect(log.lines == ["first", "third"])
        second.value = nil
    }
}
