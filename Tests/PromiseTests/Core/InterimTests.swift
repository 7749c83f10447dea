import Promise
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct InterimTests {
    @Test("PK-11: if q is p with x: p has none, recovered q has x, mapped q has f(x), zipped q has none")
    func published() {
        let p = Promise.value(1)
        let q = p.stateWhenLoading(5)
        #expect(p.loadingState == nil)
        #expect(q.loadingState == 5)
        #expect(q.mapErrorRecover { _ in 0 }.loadingState == 5)
        #expect(q.mapError { $0 }.loadingState == 5)
        #expect(q.map { "\($0)" }.loadingState == "5")
        #expect(q.flatMap { .value($0) }.loadingState == nil)
        #expect(Promise<(Int, Int)>.zip(q, q).loadingState == nil)
        #expect(Promise<Int>.parallel([q]).loadingState == nil)
    }

    @Test("PK-11: reading the loading state runs only the closures of map") func reading() {
        let log = Log()
        let promise = Promise<Int> { _ in log("work") }.stateWhenLoading(1).map { value in
            log("map")
            return value + 1
        }
        #expect(promise.loadingState == 2)
        #expect(log.lines == ["map"])
    }

    @Test("PK-11: a map that throws for the loading state has none") func readingThrows() {
        #expect(Promise.value(1).interim(2).map { _ -> Int in throw Boom() }.loadingState == nil)
    }

    @Test("PK-11: the loading state is delivered even by a settled promise, and never to the original")
    func lead() {
        let (shared, resolver) = Promise<Int>.pending()
        let log = Log()
        shared.trace(log, "p ")
        shared.interim(5).trace(log, "q ")
        shared.interim(6).interim(7).trace(log, "r ")
        resolver.fulfill(1)
        shared.interim(8).trace(log, "s ")
        shared.trace(log, "t ")
        #expect(log.lines == ["q ~5", "r ~7", "r ~6", "p 1", "q 1", "r 1", "s ~8", "s 1", "t 1"])
    }

    @Test("PK-11: the loading state is delivered before the interim values of the work") func leadFirst() {
        let work = Promise<Int> {
            $0.report(1)
            $0.fulfill(2)
        }
        #expect(work.interim(0).traced().lines == ["~0", "~1", "2"])
    }

    @Test("cancelling in the interim handler cancels work without other observers")
    func cancelLast() {
        let (promise, resolver) = Promise<Int>.pending()
        let cancelled = Counter()
        resolver.onCancel { cancelled.up() }
        let own = Box<Promise<Int>>()
        let mapped = promise.map { value in
            own.value?.cancel()
            return value
        }
        own.value = mapped
        let log = mapped.traced()
        resolver.report(1)
        #expect(log.lines == ["!CancellationError()"])
        #expect(cancelled.value == 1)
        #expect(!resolver.report(2))
        own.value = nil
    }

    @Test("flatMap forwards interim values of the inner promise only") func flatMap() {
        let (outer, outerResolver) = Promise<Int>.pending()
        let (inner, innerResolver) = Promise<Int>.pending()
        let log = outer.interim(1).flatMap { _ in inner.interim(2) }.traced()
        outerResolver.report(3)
        #expect(log.lines.isEmpty)
        outerResolver.fulfill(4)
        innerResolver.report(5)
        innerResolver.fulfill(6)
        #expect(log.lines == ["~2", "~5", "6"])
    }

    @Test("an inner promise that is idle, nested or settled delivers its interim values")
    func flatMapKinds() {
        let idle = Promise.value(0).flatMap { _ in
            Promise<Int> {
                $0.report(1)
                $0.fulfill(2)
            }
        }
        #expect(idle.traced().lines == ["~1", "2"])
        #expect(Promise.value(0).flatMap { _ in Promise.value(2).interim(1) }.traced().lines == ["~1", "2"])
        let nested = Promise.value(0).flatMap { _ in
            Promise.value(0).flatMap { _ in
                Promise<Int> {
                    $0.report(1); $0.fulfill(2)
                }
            }.interim(0)
        }
        #expect(nested.traced().lines == ["~0", "~1", "2"])
    }

    @Test("recover forwards interim values of both promises, in order") func recover() {
        let (outer, outerResolver) = Promise<Int>.pending()
        let (inner, innerResolver) = Promise<Int>.pending()
        let log = outer.recover { _ in inner.interim(3) }.traced()
        outerResolver.report(1)
        outerResolver.report(2)
        outerResolver.reject(Boom())
        innerResolver.report(4)
        innerResolver.reject(Boom("in"))
        #expect(log.lines == ["~1", "~2", "~3", "~4", "!in"])
    }

    @Test("map transforms each interim value, and skips one for which it throws") func map() {
        let (promise, resolver) = Promise<Int>.pending()
        let log = promise.map { value -> Int in
            guard value != 2 else { throw Boom() }
            return value * 10
        }.traced()
        for value in 1...3 { resolver.report(value) }
        resolver.fulfill(4)
        #expect(log.lines == ["~10", "~30", "40"])
    }

    @Test("a late observer receives only later interim values") func late() {
        let (promise, resolver) = Promise<Int>.pending()
        resolver.report(0)
        let first = promise.traced()
        resolver.report(1)
        let second = promise.traced()
        resolver.report(2)
        resolver.fulfill(3)
        #expect(first.lines == ["~1", "~2", "3"])
        #expect(second.lines == ["~2", "3"])
        #expect(promise.traced().lines == ["3"])
    }

    @Test("every branch receives each interim value, whatever its depth") func branches() {
        let (promise, resolver) = Promise<Int>.pending()
        let log = Log()
        promise.map { $0 }.map { $0 * 2 }.trace(log, "a ")
        promise.recover { Promise(error: $0) }.trace(log, "b ")
        let cancelled = promise.map { $0 }
        cancelled.trace(log, "c ")
        resolver.report(1)
        cancelled.cancel()
        resolver.report(2)
        resolver.fulfill(3)
        #expect(log.lines.filter { $0.hasPrefix("a") } == ["a ~2", "a ~4", "a 6"])
        #expect(log.lines.filter { $0.hasPrefix("b") } == ["b ~1", "b ~2", "b 3"])
        #expect(log.lines.filter { $0.hasPrefix("c") } == ["c ~1", "c !CancellationError()"])
    }

    @Test("a handler that reports and settles during a delivery keeps the order") func reentrant() {
        let (promise, resolver) = Promise<Int>.pending()
        let log = Log()
        let left = promise.map { $0 }.recover { Promise(error: $0) }
        promise.onInterim { value in
            log.add("enter \(value)")
            if value == 1 {
                resolver.report(2)
                resolver.fulfill(3)
                #expect(!resolver.report(4))
            }
            log.add("leave \(value)")
        }
        left.trace(log, "left ")
        promise.trace(log, "right ")
        resolver.report(1)
        #expect(
            log.lines == [
                "enter 1", "leave 1", "right ~1", "enter 2", "leave 2", "right ~2", "left ~1", "right 3",
                "left ~2", "left 3",
            ] || log.lines.filter { $0.hasPrefix("left") } == ["left ~1", "left ~2", "left 3"])
        #expect(log.lines.filter { $0.hasPrefix("right") } == ["right ~1", "right ~2", "right 3"])
        #expect(
            log.lines.filter { $0.hasPrefix("e") || $0.hasPrefix("leave") } == [
                "enter 1", "leave 1", "enter 2", "leave 2",
            ])
    }

    @Test("cancelling during an interim delivery ends that delivery") func cancelInside() {
        let (promise, resolver) = Promise<Int>.pending()
        let cancelled = Counter()
        resolver.onCancel { cancelled.up() }
        let own = Box<Promise<Int>>()
        let log = Log()
        let mapped = promise.map { $0 }
        own.value = mapped
        mapped.onInterim { _ in own.value?.cancel() }.trace(log)
        resolver.report(1)
        resolver.report(2)
        #expect(log.lines.last == "!CancellationError()")
        #expect(!log.lines.contains("~2"))
        #expect(cancelled.value == 1)
        own.value = nil
    }

    @Test("an observer cancelled by its own handler receives nothing more and is released")
    func cancelSelf() {
        weak var token: Token?
        let (promise, resolver) = Promise<Int>.pending()
        let log = Log()
        let observation = Box<Observation>()
        do {
            let held = Token()
            token = held
            observation.value = promise.observe { update in
                withExtendedLifetime(held) {}
                log("heard")
                observation.value?.cancel()
            }
        }
        promise.start()
        resolver.report(1)
        #expect(token == nil)
        resolver.report(2)
        resolver.fulfill(3)
        #expect(log.lines == ["heard"])
        observation.value = nil
    }

    @Test("receive keeps interim values and the outcome in order on its scheduler") func receive() {
        let scheduler = TestScheduler()
        let (promise, resolver) = Promise<Int>.pending()
        let log = promise.receive(on: scheduler).traced()
        resolver.report(1)
        resolver.report(2)
        resolver.fulfill(3)
        #expect(log.lines.isEmpty)
        scheduler.advance()
        #expect(log.lines == ["~1", "~2", "3"])
    }

    @Test("PK-11: leading interim values are not delivered inside another handler either")
    func leadsAreNotNested() {
        let log = Log()
        Promise.value(1).done { _ in
            log("outer begins")
            Promise.value(2).interim(9).onInterim { log("lead \($0)") }.done { log("value \($0)") }
            log("outer ends")
        }
        #expect(log.lines == ["outer begins", "outer ends", "lead 9", "value 2"])
    }

    @Test("PK-20: a handler attached while another thread delivers an interim value gets the outcome, once")
    func attachedDuringDelivery() {
        let (promise, resolver) = Promise<Int>.pending()
        let log = Log()
        promise.onInterim { _ in
            _ = onThreads { promise.onResult { log("late \($0.value ?? -1)") } }
            log("interim")
        }
        resolver.report(0)
        #expect(log.lines == ["interim"])
        resolver.fulfill(1)
        #expect(log.lines == ["interim", "late 1"])
    }
}
