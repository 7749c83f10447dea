import Promise
import PromisedTesting
import TestSupport
import Testing

/// Promises/A+ 2.2, `then`: when handlers run.
///
/// Its `then` with two optional arguments is several methods here, so 2.2.1 (an argument that is not a
/// function is ignored) does not apply: use `done` without `catch`, or `catch` without `done`; 2.2.7.3 and
/// 2.2.7.4 state what is forwarded. 2.2.5 (handlers are called as functions, without `this`) does not apply.
@Suite(.tags(.sharedState)) struct APlusHandlerTests {
    // MARK: 2.2.2 and 2.2.3

    @Test(
        "R1, A+ 2.2.2.1 to 2.2.2.3: a value handler is called once, with the value, not before fulfilment",
        arguments: ValueHandler.allCases, Moment.allCases)
    func fulfilment(_ handler: ValueHandler, _ moment: Moment) {
        let log = Log()
        let settling = moment.promise(fulfilled)
        let attached = handler.attach(to: settling.promise) { log($0) }.start()
        #expect(log.lines == (moment.isLater ? [] : ["7"]))
        settling.settle()
        #expect(log.lines == ["7"])
        settling.resolver?.fulfill(8)
        attached.start()
        _ = attached.traced()
        #expect(log.lines == ["7"])
    }

    @Test(
        "R1, A+ 2.2.2: a value handler is not called on rejection",
        arguments: ValueHandler.allCases, Moment.allCases)
    func notFulfilled(_ handler: ValueHandler, _ moment: Moment) {
        let log = Log()
        let settling = moment.promise(rejected)
        handler.attach(to: settling.promise) { log($0) }.catch { _ in }
        settling.settle()
        #expect(log.lines.isEmpty)
    }

    @Test(
        "R1, A+ 2.2.3.1 to 2.2.3.3: an error handler is called once, with the error, not before rejection",
        arguments: ErrorHandler.allCases, Moment.allCases)
    func rejection(_ handler: ErrorHandler, _ moment: Moment) {
        let log = Log()
        let settling = moment.promise(rejected)
        let attached = handler.attach(to: settling.promise) { log($0) }.start()
        #expect(log.lines == (moment.isLater ? [] : ["e"]))
        settling.settle()
        #expect(log.lines == ["e"])
        settling.resolver?.reject(Boom("other"))
        attached.start()
        _ = attached.traced()
        #expect(log.lines == ["e"])
    }

    @Test(
        "R1, A+ 2.2.3: an error handler is not called on fulfilment",
        arguments: ErrorHandler.allCases, Moment.allCases)
    func notRejected(_ handler: ErrorHandler, _ moment: Moment) {
        let log = Log()
        let settling = moment.promise(fulfilled)
        handler.attach(to: settling.promise) { log($0) }.start()
        settling.settle()
        #expect(log.lines.isEmpty)
    }

    // MARK: 2.2.4, the one deliberate difference

    @Test(
        "R1, not A+ 2.2.4: handlers run before the call that settles, starts or attaches returns",
        arguments: Moment.allCases)
    func inline(_ moment: Moment) {
        let log = Log()
        let settling = moment.promise(fulfilled)
        settling.promise.done { _ in log("done") }
        log("attached")
        settling.settle()
        log("settled")
        #expect(
            log.lines
                == (moment.isLater ? ["attached", "done", "settled"] : ["done", "attached", "settled"]))
    }

    @Test(
        "R1, in place of A+ 2.2.4: handlers are not re-entrant: an inner one runs when the outer returns",
        arguments: Moment.allCases)
    func notInside(_ moment: Moment) {
        let log = Log()
        let settling = moment.promise(fulfilled)
        // Another thread that settles has its own trampoline, and delivers while this one waits.
        guard moment != .laterElsewhere else { return }
        Promise.value(0).done { _ in
            settling.promise.done { _ in log("inner") }
            settling.settle()
            log("outer")
        }
        #expect(log.lines == ["outer", "inner"])
    }

    @Test(
        "R1, A+ 2.2.4: with `on:` handlers run only after the calling code has returned",
        arguments: Moment.allCases)
    func onScheduler(_ moment: Moment) {
        for outcome in [fulfilled, rejected] {
            let scheduler = TestScheduler()
            let log = Log()
            let settling = moment.promise(outcome)
            scheduler.schedule {
                settling.promise.done(on: scheduler) { _ in log("done") }.catch { _ in }
                settling.promise.catch(on: scheduler) { _ in log("catch") }
                settling.promise.finally(on: scheduler) { log("finally") }
                settling.promise.receive(on: scheduler).finally { log("received") }
                log("attached")
                settling.settle()
                log("returned")
            }
            scheduler.advance()
            let handler = outcome.error == nil ? "done" : "catch"
            #expect(log.lines == ["attached", "returned", handler, "finally", "received"])
        }
    }

    @Test(
        "R1, A+ 2.2.4: on a queue, handlers run only after the calling code has returned",
        arguments: Moment.allCases)
    func onQueue(_ moment: Moment) async {
        let scheduler = QueueScheduler.serial("laws")
        let log = Log()
        let settling = moment.promise(fulfilled)
        await withCheckedContinuation { continuation in
            scheduler.schedule {
                settling.promise.done(on: scheduler) { _ in
                    log("done")
                    continuation.resume()
                }
                settling.settle()
                log("returned")
            }
        }
        #expect(log.lines == ["returned", "done"])
    }

    @Test(
        "R1, A+ 2.2.4: on the main queue, handlers run only after the calling code has returned",
        arguments: Moment.allCases)
    @MainActor
    func onMain(_ moment: Moment) async {
        let log = Log()
        let settling = moment.promise(fulfilled)
        await withCheckedContinuation { continuation in
            settling.promise.done(on: .main) { _ in
                log("done")
                continuation.resume()
            }
            settling.settle()
            log("returned")
        }
        #expect(log.lines == ["returned", "done"])
    }

    // MARK: 2.2.6

    @Test("R1, A+ 2.2.6.1: handlers run in the order in which they were attached", arguments: Moment.allCases)
    func orderFulfilled(_ moment: Moment) {
        let log = Log()
        let settling = moment.promise(fulfilled)
        for number in 0..<3 {
            for handler in ValueHandler.allCases {
                handler.attach(to: settling.promise) { _ in log("\(handler) \(number)") }.start()
            }
            settling.promise.finally { log("finally \(number)") }
        }
        settling.settle()
        #expect(
            log.lines
                == (0..<3).flatMap { number in
                    (ValueHandler.allCases.map { "\($0)" } + ["finally"]).map { "\($0) \(number)" }
                })
    }

    @Test(
        "R1, A+ 2.2.6.2: error handlers run in the order in which they were attached",
        arguments: Moment.allCases)
    func orderRejected(_ moment: Moment) {
        let log = Log()
        let settling = moment.promise(rejected)
        for number in 0..<3 {
            for handler in ErrorHandler.allCases {
                handler.attach(to: settling.promise) { _ in log("\(handler) \(number)") }.catch { _ in }
            }
            settling.promise.finally { log("finally \(number)") }
        }
        settling.settle()
        #expect(
            log.lines
                == (0..<3).flatMap { number in
                    (ErrorHandler.allCases.map { "\($0)" } + ["finally"]).map { "\($0) \(number)" }
                })
    }

    @Test(
        "R1, A+ 2.2.6: a handler that throws, cancels or attaches does not affect the others",
        arguments: Moment.allCases)
    func undisturbed(_ moment: Moment) {
        let log = Log()
        let settling = moment.promise(fulfilled)
        settling.promise.done { _ in throw Boom() }.catch { _ in }
        settling.promise.done { _ in settling.promise.cancel() }
        settling.promise.done { _ in settling.promise.done { _ in log("attached inside") } }
        settling.promise.done { log("last \($0)") }
        settling.settle()
        #expect(log.lines.sorted() == ["attached inside", "last 7"])
        if moment.isLater { #expect(log.lines == ["last 7", "attached inside"]) }
    }
}
