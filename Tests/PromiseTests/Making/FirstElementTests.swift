import Promise
import PromisedTesting
import Testing

@Suite struct FirstElementTests {
    let scheduler = TestScheduler()

    @Test("R2: first(of:) has the first element, and iterates only when started") func first() {
        let begun = Counter()
        let numbers = AsyncThrowingStream<Int, any Error> {
            begun.up()
            return begun.value
        }
        let promise = Promise.first(of: numbers)
        scheduler.run()
        #expect(begun.value == 0)
        promise.start(on: scheduler)
        scheduler.run()
        #expect(promise.result?.value == 1)
        #expect(begun.value == 1)
        scheduler.finish()
    }

    @Test("R2: first(of:) is rejected if the sequence ends or throws before an element") func none() {
        let empty = Promise.first(of: AsyncStream<Int> { $0.finish() }).start(on: scheduler)
        let failing = Promise.first(
            of: AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Boom("e")) })
        failing.start(on: scheduler)
        scheduler.run()
        if case .failure(PromiseError.empty) = empty.result {} else { Issue.record("not empty") }
        #expect(failing.result?.error as? Boom == Boom("e"))
        scheduler.finish()
    }

    @Test("R2: cancelling first(of:) cancels the iteration") func cancelled() {
        let log = Log()
        let endless = AsyncStream<Int> { continuation in
            continuation.onTermination = { if case .cancelled = $0 { log("cancelled") } }
        }
        let promise = Promise.first(of: endless).start(on: scheduler)
        scheduler.run()
        #expect(log.lines.isEmpty && promise.result == nil)
        promise.cancel()
        scheduler.run()
        #expect(log.lines == ["cancelled"])
        #expect(promise.result?.error is CancellationError)
        scheduler.finish()
    }

    @Test("R2: first(of:) takes the updates of another promise") func updates() {
        let (promise, resolver) = Promise<Int>.pending()
        let first = Promise.first(of: promise.updates).start(on: scheduler)
        scheduler.run()
        resolver.report(1)
        scheduler.run()
        #expect(first.result?.value == 1)
        #expect(resolver.isCancelled)
        scheduler.finish()
    }
}
