import Promise
import PromisedTesting
import TestSupport
import Testing

@Suite struct AbandonmentTests {
    init() { Reports.begin() }

    private func origin(_ promise: Promise<Int>) -> Origin? {
        guard case .failure(PromiseError.abandoned(let origin)) = promise.result else { return nil }
        return origin
    }

    @Test("PK-19: a body that drops its resolver rejects, and the error has the promise's origin")
    func body() {
        let promise = Promise<Int> { _ in }; let line = #line
        promise.start()
        #expect(origin(promise)?.line == line)
        #expect(origin(promise)?.file == "PromiseTests/AbandonmentTests.swift")
    }

    @Test("PK-19: the error message names the origin and the cause") func message() throws {
        let promise = Promise<Int> { _ in }; let line = #line
        promise.start()
        #expect(
            "\(try #require(promise.result?.error))"
                == "The promise made at PromiseTests/AbandonmentTests.swift:\(line) was "
                + "abandoned: its resolver was released without settling it.")
    }

    @Test("PK-19: a resolver that is released later rejects") func later() {
        let kept = Box<Resolver<Int>>()
        let promise = Promise<Int> { kept.value = $0 }; let line = #line
        let log = Log()
        promise.catch { _ in log("gone") }
        #expect(log.lines.isEmpty)
        kept.value = nil
        #expect(log.lines == ["gone"])
        #expect(origin(promise)?.line == line)
    }

    @Test("PK-19: a promise is abandoned when the last copy of its resolver is released") func copies() {
        let log = Log()
        let first = Box<Resolver<Int>>()
        let second = Box<Resolver<Int>>()
        Promise<Int> {
            first.value = $0
            second.value = $0
        }.catch { _ in log("gone") }
        first.value = nil
        #expect(log.lines.isEmpty)
        second.value = nil
        #expect(log.lines == ["gone"])
    }

    @Test("PK-19: releasing the resolver of a pending promise rejects it, observed or not") func pending() {
        var pair: (promise: Promise<Int>, resolver: Resolver<Int>)? = Promise<Int>.pending(); let line = #line
        let promise = pair!.promise
        let log = promise.map { $0 }.traced()
        pair = nil
        #expect(log.count == 1)
        #expect(origin(promise)?.line == line)
    }

    @Test("PK-19: an abandoned promise inside flatMap reports its own origin", arguments: [false, true])
    func inner(_ isLater: Bool) {
        let kept = Box<Resolver<Int>>()
        let line = Box<Int>()
        let promise = Promise.value(1).flatMap { _ in
            line.value = #line + 1
            return Promise<Int> { kept.value = isLater ? $0 : nil }
        }
        promise.start()
        kept.value = nil
        #expect(origin(promise)?.line == line.value)
    }

    @Test("PK-19: an abandoned promise inside recover reports its own origin") func innerOfRecover() {
        let line = Box<Int>()
        let promise = Promise<Int>(error: Boom()).recover { _ in
            line.value = #line + 1
            return Promise<Int> { _ in }
        }
        promise.start()
        #expect(origin(promise)?.line == line.value)
    }

    @Test("R8: an abandoned chain releases its closures") func freed() {
        weak var token: Token?
        let kept = Box<Resolver<Int>>()
        do {
            let held = Token()
            token = held
            let source = Promise<Int> { kept.value = $0 }
            source.map { _ in withExtendedLifetime(held) { 1 } }
                .flatMap { _ in withExtendedLifetime(held) { Promise.value(1) } }
                .recover { _ in withExtendedLifetime(held) { Promise.value(2) } }
                .done { _ in withExtendedLifetime(held) {} }
                .catch { _ in withExtendedLifetime(held) {} }
        }
        #expect(token != nil)
        kept.value = nil
        #expect(token == nil)
    }

    @Test("R8: releasing a resolver releases its onCancel handler and the closures of its chain")
    func hooks() {
        weak var token: Token?
        do {
            let held = Token()
            token = held
            let (promise, resolver) = Promise<Int>.pending()
            resolver.onCancel { withExtendedLifetime(held) {} }
            promise.map { _ in withExtendedLifetime(held) { 1 } }.catch { _ in }
        }
        #expect(token == nil)
    }

    @Test("R8: a scheduler that discards the work without running it abandons the promise")
    func schedulerGone() {
        weak var token: Token?
        let scheduler = ForgetfulScheduler()
        let log = Log()
        do {
            let held = Token()
            token = held
            let promise = Promise<Int> { resolver in
                withExtendedLifetime(held) { _ = resolver.fulfill(1) }
            }
            promise.start(on: scheduler)
            promise.map { _ in withExtendedLifetime(held) { 1 } }.catch { _ in log("gone") }
        }
        #expect(log.lines.isEmpty)
        scheduler.forget()
        #expect(log.lines == ["gone"])
        #expect(token == nil)
    }

    @Test("R8: a scheduler that discards a delay's timer abandons the promise") func timerGone() {
        weak var token: Token?
        let scheduler = ForgetfulScheduler()
        let log = Log()
        do {
            let held = Token()
            token = held
            Promise.value(1).delay(.seconds(1), on: scheduler)
                .map { _ in withExtendedLifetime(held) { 1 } }.catch { _ in log("gone") }
        }
        #expect(log.lines.isEmpty)
        scheduler.forget()
        #expect(log.lines == ["gone"])
        #expect(token == nil)
    }
}

/// Retains scheduled work until `forget()`, and never runs it.
private final class ForgetfulScheduler: SerialScheduler {
    private let kept = Box<[ScheduledWork]>([])

    var now: Duration { .zero }

    func schedule(_ work: @escaping @Sendable () -> Void) { schedule(after: .zero, work) }

    @discardableResult
    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        let scheduled = ScheduledWork(work)
        kept.value?.append(scheduled)
        return scheduled
    }

    func forget() { kept.value = nil }
}
