import Promise
import PromisedTesting
import TestSupport
import Testing

/// A promise that resolves to one that waits for it, through any operator, is rejected.
@Suite(.tags(.noSharedState)) struct WaitingForItselfTests {
    /// What lies between the promise and itself.
    enum Form: CaseIterable {
        case direct, mapped, mappedTwice, kept, nested, delayed, recovered, late

        func callAsFunction(
            _ own: Promise<Int>, _ apply: OperatorLawTests.Operator, _ scheduler: TestScheduler,
            _ keep: Box<[Promise<Int>]>
        ) -> Promise<Int> {
            let promise = apply(own, scheduler)
            switch self {
            case .direct, .recovered, .late: return promise
            case .mapped: return promise.map { $0 }
            case .mappedTwice: return promise.map { $0 }.tap { _ in }
            case .kept:
                keep.value = [promise]
                return promise
            case .nested: return apply(promise, scheduler)
            case .delayed: return promise.delay(.seconds(1), on: scheduler)
            }
        }
    }

    @Test(
        "a promise that waits for itself through an operator is rejected",
        arguments: OperatorLawTests.Operator.allCases, Form.allCases)
    func rejects(_ apply: OperatorLawTests.Operator, _ form: Form) {
        weak var token: Token?
        let scheduler = TestScheduler()
        do {
            let held = Token()
            token = held
            let own = Box<Promise<Int>>()
            let keep = Box<[Promise<Int>]>()
            let (gate, resolver) = Promise<Int>.pending()
            let next: @Sendable () -> Promise<Int> = {
                withExtendedLifetime(held) { form(own.value!, apply, scheduler, keep) }
            }
            let promise =
                switch form {
                case .recovered: gate.map { _ in throw Boom() }.recover { _ in next() }
                case .late: gate.delay(.seconds(1), on: scheduler).flatMap { _ in next() }
                default: gate.flatMap { _ in next() }
                }
            own.value = promise
            let log = promise.traced()
            resolver.fulfill(1)
            scheduler.advance(by: .seconds(5))
            // What starts the promise itself has waited for it before that resolves, and the work behind a delay waits
            // for it later: cycles of two.
            let closesLater = apply == .delayStart && ![.direct, .recovered, .late].contains(form)
            let isCycleOfTwo = apply.startsAtOnce || closesLater
            #expect(log.lines == (isCycleOfTwo ? [] : ["!\(PromiseError.resolvedWithItself)"]))
            promise.cancel()
            (own.value, keep.value) = (nil, nil)
        }
        #expect(token == nil)
        #expect(scheduler.pendingCount == 0)
    }

    @Test("a member that waits for its own race loses it to another member, unless it is decisive")
    func members() {
        for isAny in [true, false] {
            let own = Box<Promise<Int>>()
            let (gate, open) = Promise<Int>.pending()
            let (other, resolver) = Promise<Int>.pending()
            let promise = gate.flatMap { _ in
                isAny
                    ? Promise.any([own.value!, other])
                    : Promise.allSettled([own.value!, other]).map { $0.count }
            }
            own.value = promise
            let log = promise.traced()
            open.fulfill(1)
            #expect(log.lines.isEmpty)
            resolver.fulfill(7)
            #expect(log.lines == [isAny ? "7" : "2"])
            own.value = nil
        }
    }

    @Test("work that merely observes the promise that waits for it is not rejected") func observers() {
        let scheduler = TestScheduler()
        let own = Box<Promise<Int>>()
        let log = Log()
        let (gate, open) = Promise<Int>.pending()
        let promise = gate.flatMap { _ in
            Promise<Int> { resolver in
                own.value!.delay(.seconds(1)).timeout(.seconds(9)).ensure { log("ended") }.done { log($0) }
                Promise<Int>.parallel([own.value!]).done { log($0) }
                resolver.fulfill(3)
            }
        }
        own.value = promise
        promise.start(on: scheduler)
        open.fulfill(1)
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["[3]", "ended", "3"])
        own.value = nil
    }
}
