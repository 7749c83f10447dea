import Dispatch
import Promise
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct DeliveryOrderTests {
    @Test("PK-20: each handler runs once, in order, also if added during or after delivery") func order() {
        let (promise, resolver) = Promise<Int>.pending()
        let log = Log()
        promise.done { _ in
            log(1)
            promise.done { _ in log(4) }
        }
        promise.done { _ in log(2) }
        promise.done { _ in log(3) }
        #expect(log.lines.isEmpty)
        resolver.fulfill(0)
        #expect(log.lines == ["1", "2", "3", "4"])
        promise.done { _ in log(5) }
        #expect(log.lines == ["1", "2", "3", "4", "5"])
    }

    @Test("PK-20: done, catch and finally run in the order in which they were attached") func kinds() {
        let log = Log()
        let (promise, resolver) = Promise<Int>.pending()
        promise.finally { log("finally 1") }
        promise.catch { log("catch \($0)") }
        promise.done { _ in log("done") }
        promise.finally { log("finally 2") }
        resolver.reject(Boom("e"))
        #expect(log.lines == ["finally 1", "catch e", "finally 2"])
        let (other, otherResolver) = Promise<Int>.pending()
        other.finally { log("finally") }
        other.catch { log("catch \($0)") }
        other.done { log("done \($0)") }
        otherResolver.fulfill(1)
        #expect(log.lines.suffix(2) == ["finally", "done 1"])
    }

    @Test("PK-20: catch and finally forward the outcome, and an error thrown in done reaches catch")
    func passing() {
        #expect(Promise.value(1).catch { _ in }.finally {}.traced().lines == ["1"])
        #expect(Promise<Int>(error: Boom("e")).catch { _ in }.finally {}.traced().lines == ["!e"])
        let log = Log()
        Promise.value(1).done { _ in throw Boom("thrown") }.catch { log($0) }
        #expect(log.lines == ["thrown"])
    }

    @Test("PK-20: a handler attached to a settled promise runs before the call returns")
    func whileAttaching() {
        let log = Log()
        Promise.value(1).done { _ in log("handler") }
        log("after")
        #expect(log.lines == ["handler", "after"])
    }

    @Test("delivery is never re-entrant, and first in, first out across promises")
    func neverNested() {
        let log = Log()
        let (first, firstResolver) = Promise<Int>.pending()
        let (second, secondResolver) = Promise<Int>.pending()
        let third = Promise<Int> {
            log("third begins")
            $0.fulfill(3)
        }
        first.done { _ in
            log("enter 1a")
            first.done { _ in log("late") }
            secondResolver.fulfill(2)
            third.done { _ in log("third done") }
            Promise.value(4).done { _ in log("fourth done") }
            log("leave 1a")
        }
        first.done { _ in
            log("enter 1b")
            log("leave 1b")
        }
        second.done { _ in
            log("enter 2a")
            first.done { _ in log("later") }
            log("leave 2a")
        }
        second.done { _ in log("2b") }
        firstResolver.fulfill(1)
        log("returned")
        #expect(
            log.lines == [
                "enter 1a", "leave 1a", "enter 1b", "leave 1b", "late", "enter 2a", "leave 2a", "2b",
                "third begins", "fourth done", "later", "third done", "returned",
            ])
    }

    @Test("R10: a recursive flatMap is one link, however deep: it is notified before later observers")
    func oneLink() {
        let log = Log()
        let (gate, resolver) = Promise<Int>.pending()
        @Sendable func trampoline(_ rest: Int) -> Promise<Int> {
            Promise.value(rest).flatMap { $0 == 0 ? gate.map { $0 } : trampoline($0 - 1) }
        }
        trampoline(10).done { _ in log("recursive") }
        gate.map { $0 }.done { _ in log("beside") }
        resolver.fulfill(1)
        #expect(log.lines == ["recursive", "beside"])
    }

    @Test("a body that settles and attaches handlers does not run them re-entrantly")
    func neverNestedBody() {
        let log = Log()
        let promise = Promise<Int> { resolver in
            log("enter")
            resolver.fulfill(1)
            Promise.value(2).done { log($0) }
            log("leave")
        }
        promise.done { log($0) }
        #expect(log.lines == ["enter", "leave", "1", "2"])
    }

    @Test("cancelling in a handler delivers when that handler returns") func cancelNested() {
        let log = Log()
        let (pending, resolver) = Promise<Int>.pending()
        pending.catch { _ in log("cancelled") }
        resolver.onCancel { log("hook") }
        Promise.value(1).done { _ in
            pending.cancel()
            log("handler")
        }
        // The onCancel handler was added after the `catch` handler.
        #expect(log.lines == ["handler", "cancelled", "hook"])
    }

    @Test("a resolver released in a handler delivers when that handler returns") func dropNested() {
        let log = Log()
        let kept = Box<Resolver<Int>>()
        Promise<Int> { kept.value = $0 }.catch { _ in log("abandoned") }
        Promise.value(1).done { _ in
            kept.value = nil
            log("handler")
        }
        #expect(log.lines == ["handler", "abandoned"])
    }

    @Test("PK-20: a late handler does not wait for handlers running on another thread") func otherThread() {
        let log = Log()
        let (promise, resolver) = Promise<Int>.pending()
        let attached = DispatchSemaphore(value: 0)
        promise.done { _ in
            log("1")
            DispatchQueue.global().async {
                promise.map { $0 + 1 }.done { log("late \($0)") }
                attached.signal()
            }
            attached.wait()
        }
        promise.done { _ in log("2") }
        resolver.fulfill(0)
        #expect(log.lines == ["1", "late 1", "2"])
    }

    @Test("PK-20: awaiting a promise derived from a settled one does not wait for a running handler")
    func awaitingLate() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let (begun, began) = AsyncStream<Void>.makeStream()
        let done = DispatchSemaphore(value: 0)
        promise.done { _ in
            began.yield()
            done.wait()
        }
        DispatchQueue.global().async { resolver.fulfill(1) }
        for await _ in begun { break }
        #expect(try await promise.map { $0 + 1 }.value == 2)
        done.signal()
    }

    @Test(
        "first in, first out across promises, also for one settled in the handler of another"
    )
    func acrossPromises() {
        let log = Log()
        let (first, one) = Promise<Int>.pending()
        let (second, two) = Promise<Int>.pending()
        second.done { _ in log("z") }
        first.done { _ in
            two.fulfill(1)
            first.done { _ in log("x") }
            second.done { _ in log("y") }
        }
        one.fulfill(1)
        #expect(log.lines == ["z", "x", "y"])
    }

    @Test("a nested trampoline delivers in the middle of another delivery") func nested() {
        let log = Log()
        let (promise, resolver) = Promise<Int>.pending()
        promise.done { value in
            Trampoline.nested {
                Promise.value(value).map { $0 + 1 }.done { log($0) }
                Promise<Int> { $0.fulfill(9) }.done { log($0) }
            }
            log("handler")
        }
        promise.done { _ in log("second") }
        resolver.fulfill(1)
        #expect(log.lines == ["2", "9", "handler", "second"])
    }

    @Test(
        "a promise settled by work that a handler starts is delivered when the work has returned"
    )
    func settledByWork() {
        let log = Log()
        let (other, resolver) = Promise<Int>.pending()
        other.done { log("other \($0)") }
        Promise.value(2).map { value in
            log("begin")
            resolver.fulfill(1)
            log("end")
            return value
        }
        .done { log($0) }
        #expect(log.lines == ["begin", "end", "other 1", "2"])
    }

    @Test("PK-20: a value handler whose attachment starts work that fails at once is not called")
    func failsAtOnce() {
        let log = Log()
        for promise in [
            Promise<String> { $0.reject(Boom("e")) }, Promise<String> { _ in throw Boom("e") },
            Promise.value(1).map { _ throws -> String in throw Boom("e") }, Promise<String>(error: Boom("e")),
        ] {
            promise.done { log($0) }.catch { _ in log("failed") }
        }
        #expect(log.lines == ["failed", "failed", "failed", "failed"])
    }

    @Test("a nested trampoline delivers to promises derived from the one being delivered")
    func separateOnDelivered() {
        let log = Log()
        let (promise, resolver) = Promise<Int>.pending()
        promise.done { _ in
            Trampoline.nested { _ = promise.map { $0 + 1 }.done { log($0) } }
            log("handler")
        }
        promise.done { _ in log("second") }
        resolver.fulfill(1)
        promise.done { _ in log("third") }
        #expect(log.lines == ["2", "handler", "second", "third"])
    }

    @Test("PK-20: handlers on a scheduler run after the attaching call returns, in order")
    func onScheduler() {
        let scheduler = TestScheduler()
        let log = Log()
        scheduler.schedule {
            Promise.value(1).done(on: scheduler) { log($0) }
            Promise<Int>(error: Boom("e")).catch(on: scheduler) { log($0) }
            Promise.value(2).finally(on: scheduler) { log("finally") }
            log("attached")
        }
        #expect(log.lines.isEmpty)
        scheduler.advance()
        #expect(log.lines == ["attached", "1", "e", "finally"])
    }

    @Test("PK-20: thousands of handlers run once each, in order") func many() {
        let log = Log()
        let (promise, resolver) = Promise<Int>.pending()
        for number in 0..<3000 { promise.done { _ in log(number) } }
        resolver.fulfill(0)
        #expect(log.lines == (0..<3000).map { "\($0)" })
    }
}
