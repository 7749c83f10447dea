import Dispatch
import Promise
import PromisedTesting
import TestSupport
import Testing

@Suite struct ResultHandlerTests {
    init() { Reports.begin() }

    @Test("R2: onResult starts the promise, is called once, and forwards the outcome") func once() {
        let log = Log()
        Promise { $0.fulfill(1) }.onResult { log("\($0)") }.trace(log)
        Promise<Int> { $0.reject(Boom("e")) }.onResult { log("\($0.error!)") }.trace(log)
        #expect(log.lines == ["success(1)", "1", "e", "!e"])
    }

    @Test("R2: onResult is called for cancellation and abandonment, and not for interim values")
    func otherOutcomes() {
        let log = Log()
        let (promise, resolver) = Promise<Int>.pending()
        promise.onResult { log("\($0.error!)") }
        resolver.report(1)
        promise.cancel()
        Promise<Int> { _ in }.onResult { log($0.error is PromiseError) }
        #expect(log.lines == ["CancellationError()", "true"])
    }

    @Test("R2: onResult counts as handling the error, on a scheduler too") func seen() {
        let (first, second) = (Boom.unique(), Boom.unique())
        let scheduler = TestScheduler()
        do {
            Promise<Int> { $0.reject(first) }.onResult { _ in }
            Promise<Int> { $0.reject(second) }.onResult(on: scheduler) { _ in }
            scheduler.run()
        }
        #expect(Reports.about(first).isEmpty && Reports.about(second).isEmpty)
    }

    @Test("R2: onResult and onInterim with a scheduler run their closures there, after they return")
    func onScheduler() {
        let scheduler = TestScheduler()
        let log = Log()
        let (promise, resolver) = Promise<Int>.pending()
        let loading = promise.interim(0)
        let passed = loading.onInterim(on: scheduler) { log("~\($0) \(scheduler.isCurrent)") }
        loading.onResult(on: scheduler) { log("\($0) \(scheduler.isCurrent)") }
        #expect(passed.loadingState == 0)
        resolver.report(1)
        resolver.fulfill(2)
        #expect(log.lines.isEmpty && passed.result == nil)
        scheduler.run()
        #expect(log.lines == ["~0 true", "~1 true", "success(2) true"])
        #expect(passed.result?.value == 2)
    }

    @Test("R2: on the main scheduler the closures of onResult and onInterim can use main-actor state")
    func onMain() async throws {
        let log = await MainActor.run { MainLog() }
        let (promise, resolver) = Promise<Int>.pending()
        let loading = promise.interim(0)
        let interim = loading.onInterim(on: .main) { log.lines.append("~\($0)") }
        let result = loading.onResult(on: .main) { log.lines.append("\($0)") }
        resolver.report(1)
        resolver.fulfill(2)
        _ = try await (interim.value, result.value)
        #expect(await log.lines == ["~0", "~1", "success(2)"])
    }
}

@MainActor private final class MainLog {
    var lines: [String] = []
}
