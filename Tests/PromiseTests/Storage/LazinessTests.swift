import Promise
import PromisedTesting
import Testing

@Suite struct LazinessTests {
    @Test("PK-27: creating and chaining promises runs nothing") func chaining() {
        let log = Log()
        let work = Promise<Int> {
            log("work")
            $0.fulfill(1)
        }
        let chain = work.map {
            log($0); return $0
        }
        .flatMap {
            log($0); return .value($0)
        }
        .mapError {
            log($0); return $0
        }
        .mapErrorRecover {
            log($0); return 0
        }
        .recover {
            log($0); return .value(0)
        }
        .ensure { log("ensure") }
        .delay(.zero).timeout(.seconds(1)).receive(on: .immediate)
        let gathered = Promise<(Int, Int)>.zip(chain, work)
        let all = Promise<Int>.parallel([chain, work])
        _ = (gathered.stateWhenLoading((0, 0)).loadingState, all.result, chain.loadingState)
        #expect(log.lines.isEmpty)
    }

    @Test("PK-27: a promise that is released unstarted never runs") func dropped() {
        let log = Log()
        do { _ = Promise<Int> { _ in log("work") }.map { $0 }.flatMap { .value($0) } }
        #expect(log.lines.isEmpty)
    }

    enum Look: CaseIterable { case done, `catch`, finally, start, startOn, onInterim, observe }

    @Test("PK-27: the first observer starts the work, later ones do not", arguments: Look.allCases)
    func starts(_ look: Look) {
        let runs = Counter()
        let (gate, resolver) = Promise<Int>.pending()
        let promise = Promise<Int> { resolver in
            runs.up()
            gate.done { resolver.fulfill($0) }
        }
        #expect(runs.value == 0)
        let scheduler = TestScheduler()
        for _ in 1...2 {
            switch look {
            case .done: promise.done { _ in }
            case .catch: promise.catch { _ in }
            case .finally: promise.finally {}
            case .start: promise.start()
            case .startOn: promise.start(on: scheduler)
            case .onInterim: promise.onInterim { _ in }
            case .observe: _ = promise.observe { _ in }
            }
        }
        scheduler.run()
        #expect(runs.value == 1)
        resolver.fulfill(1)
        promise.done { _ in }
        promise.map { $0 }.start()
        #expect(runs.value == 1)
        #expect(promise.result?.value == 1)
    }

    @Test("PK-27: awaiting starts the work, once") func awaiting() async throws {
        let runs = Counter()
        let promise = Promise { $0.fulfill(runs.up()) }
        #expect(try await promise.value == 1)
        #expect(try await promise.value == 1)
        #expect(try await promise.map { $0 }.value == 1)
        #expect(runs.value == 1)
    }

    @Test("PK-27: reading the outcome starts nothing") func reading() {
        let runs = Counter()
        let promise = Promise { $0.fulfill(runs.up()) }
        #expect(promise.result == nil)
        #expect(promise.loadingState == nil)
        #expect(runs.value == 0)
    }

    @Test("PK-27: several branches run shared work once") func shared() {
        let runs = Counter()
        let shared = Promise { $0.fulfill(runs.up()) }
        let branches = (0..<5).map { index in shared.map { $0 * 10 + index } }
        #expect(runs.value == 0)
        #expect(branches.map { $0.start().result?.value } == [10, 11, 12, 13, 14])
        #expect(runs.value == 1)
    }

    @Test("releasing an observed promise does not cancel it") func droppedObserver() {
        let log = Log()
        let (source, resolver) = Promise<Int>.pending()
        do { _ = source.map { $0 + 1 }.flatMap { .value($0 * 2) }.done { log($0) } }
        resolver.fulfill(1)
        #expect(log.lines == ["4"])
    }
}
