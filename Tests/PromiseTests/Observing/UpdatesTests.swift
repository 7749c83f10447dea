import Promise
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct UpdatesTests {
    let scheduler = TestScheduler()

    init() { Reports.begin() }

    /// A task on virtual time that logs the updates of `promise`.
    private func listen(to promise: Promise<Int>, _ log: Log) -> Promise<Void> {
        let listening = Promise { () async throws in
            do {
                for try await value in promise.updates { log(value) }
                log("end")
            } catch {
                log("!\(error)")
            }
        }
        listening.start(on: scheduler)
        scheduler.run()
        return listening
    }

    @Test("R2: updates are the interim values, leading ones first, then the value") func order() {
        let log = Log()
        let (promise, resolver) = Promise<Int>.pending()
        resolver.report(9)
        _ = listen(to: promise.interim(1).interim(0), log)
        #expect(log.lines == ["0", "1"])
        resolver.report(2)
        scheduler.run()
        #expect(log.lines == ["0", "1", "2"])
        resolver.report(3)
        resolver.report(4)
        resolver.fulfill(5)
        scheduler.run()
        #expect(log.lines == ["0", "1", "2", "3", "4", "5", "end"])
        scheduler.finish()
    }

    enum Way: CaseIterable { case observer, updates, flatMap, recover, race, any }

    @Test(
        "PK-11: leading interim values come first, whether the promise is pending or has settled",
        arguments: Way.allCases, [true, false])
    func leading(way: Way, isSettled: Bool) {
        let (shared, resolver) = Promise<Int>.pending()
        if isSettled { resolver.fulfill(2) }
        let (promise, log) = (shared.interim(1).interim(0), Log())
        switch way {
        case .observer: promise.trace(log)
        case .updates: _ = listen(to: promise, log)
        case .flatMap: Promise.value(0).flatMap { _ in promise }.trace(log)
        case .recover: Promise<Int>(error: Boom()).recover { _ in promise }.trace(log)
        case .race: Promise.race([promise]).trace(log)
        case .any: Promise.any(promise, Promise(error: Boom())).trace(log)
        }
        resolver.fulfill(2)
        scheduler.run()
        #expect(log.lines.prefix(3).map { $0.suffix(1) } == ["0", "1", "2"])
        scheduler.finish()
    }

    @Test("R2: updates throw the error after the interim values, and it counts as handled") func rejected() {
        let error = Boom.unique()
        let log = Log()
        do {
            let (promise, resolver) = Promise<Int>.pending()
            _ = listen(to: promise, log)
            resolver.report(1)
            resolver.reject(error)
            scheduler.run()
        }
        #expect(log.lines == ["1", "!\(error)"])
        #expect(Reports.about(error).isEmpty)
        scheduler.finish()
    }

    @Test("R2: updates of a settled, cancelled or abandoned promise end at once") func atOnce() {
        let log = Log()
        _ = listen(to: .value(1), log)
        _ = listen(to: Promise(error: Boom("e")), log)
        let (cancelled, resolver) = Promise<Int>.pending()
        cancelled.cancel()
        _ = listen(to: cancelled, log)
        _ = listen(to: Promise { _ in }.mapError { _ in Boom("abandoned") }, log)
        #expect(log.lines == ["1", "end", "!e", "!CancellationError()", "!abandoned"])
        withExtendedLifetime(resolver) {}
        scheduler.finish()
    }

    @Test("R2: the first next() starts the promise, and iterations are independent")
    func starts() async throws {
        let runs = Counter()
        let updates = Promise { resolver in
            resolver.report(0)
            resolver.fulfill(runs.up())
        }.updates
        var iterator = updates.makeAsyncIterator()
        #expect(runs.value == 0)
        #expect(try await iterator.next() == 0)
        #expect(runs.value == 1)
        #expect(try await iterator.next() == 1)
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        var again = updates.makeAsyncIterator()
        #expect(try await again.next() == 1)
        #expect(try await again.next() == nil)
        #expect(runs.value == 1)
    }

    @Test("R2: every interim value is buffered until it is read") func buffered() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        var iterator = promise.interim(-1).updates.makeAsyncIterator()
        #expect(try await iterator.next() == -1)
        for number in 0..<10_000 { resolver.report(number) }
        resolver.fulfill(10_000)
        for number in 0...10_000 { #expect(try await iterator.next() == number) }
        #expect(try await iterator.next() == nil)
    }

    @Test("R2: an error is thrown once, then nil") func errorOnce() async throws {
        var iterator = Promise<Int>(error: Boom("e")).updates.makeAsyncIterator()
        do {
            _ = try await iterator.next()
            Issue.record("no error")
        } catch { #expect(error as? Boom == Boom("e")) }
        #expect(try await iterator.next() == nil)
    }

    @Test("R2: cancelling the iterating task throws CancellationError and withdraws interest")
    func cancelledWaiting() {
        let log = Log()
        let (promise, resolver) = Promise<Int>.pending()
        let listening = listen(to: promise, log)
        resolver.report(1)
        scheduler.run()
        #expect(!resolver.isCancelled)
        listening.cancel()
        #expect(resolver.isCancelled)
        scheduler.run()
        #expect(log.lines == ["1", "!CancellationError()"])
        scheduler.finish()
    }

    @Test("R2: a task cancelled before it iterates starts nothing") func cancelledBefore() async {
        let runs = Counter()
        let updates = Promise { $0.fulfill(runs.up()) }.updates
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in updates {}
        }
        #expect(await task.result.error is CancellationError)
        #expect(runs.value == 0)
    }

    @Test("R2: a task cancelled after the value has received all: the sequence ends") func cancelledAfter()
        async throws
    {
        let task = Task {
            var updates = Promise {
                $0.report(1); $0.fulfill(2)
            }.updates.makeAsyncIterator()
            var received = [try await updates.next(), try await updates.next()]
            withUnsafeCurrentTask { $0?.cancel() }
            received += [try await updates.next(), try await updates.next()]
            return received
        }
        #expect(try await task.value == [1, 2, nil, nil])
    }

    @Test("R2: a task cancelled between two values receives no more") func cancelledBetween() async {
        let (promise, resolver) = Promise<Int>.pending()
        let log = Log()
        let task = Task {
            for try await value in promise.interim(0).updates {
                log(value)
                resolver.report(1)
                resolver.fulfill(2)
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        #expect(await task.result.error is CancellationError)
        #expect(log.lines == ["0"])
    }

    @Test(
        "R2: releasing the iterator withdraws interest, and cancels work without other observers",
        arguments: [true, false])
    func dropped(_ isShared: Bool) {
        let (promise, resolver) = Promise<Int>.pending()
        if isShared { promise.start() }
        let listening = Promise { () async throws in
            for try await _ in promise.interim(0).updates { break }
        }
        listening.start(on: scheduler)
        scheduler.run()
        #expect(listening.result?.value != nil)
        #expect(resolver.isCancelled == !isShared)
        scheduler.finish()
    }

    @Test("R7: an iteration retains nothing after its end", arguments: 0..<3) func freed(_ end: Int) {
        weak var token: Token?
        let (promise, resolver) = Promise<Int>.pending()
        let listening: Promise<Void>
        do {
            let held = Token()
            token = held
            listening = listen(to: promise.map { value in withExtendedLifetime(held) { value } }, Log())
        }
        #expect(token != nil)
        switch end {
        case 0: resolver.fulfill(1)
        case 1: resolver.reject(Boom())
        default: listening.cancel()
        }
        scheduler.run()
        #expect(token == nil)
        scheduler.finish()
    }
}

extension Heavy {
    @Test("R2: reporting against iterating: updates lose no value and no wake-up") func updatesRace()
        async throws
    {
        for _ in 0..<rounds(20, stress: 50) {
            let (promise, resolver) = Promise<Int>.pending()
            let reporting = Task.detached {
                for number in 0..<200 { resolver.report(number) }
                resolver.fulfill(200)
            }
            var last: Int?
            for try await value in promise.updates {
                if let last { #expect(value == last + 1) }
                last = value
            }
            #expect(last == 200)
            await reporting.value
        }
    }

    @Test("R2: cancelling against settling: updates always end") func updatesCancelRace() async {
        for _ in 0..<rounds(50, stress: 200) {
            let (promise, resolver) = Promise<Int>.pending()
            let iterating = Task.detached {
                var count = 0
                for try await _ in promise.interim(0).updates { count += 1 }
                return count
            }
            let settling = Task.detached {
                resolver.report(1)
                resolver.fulfill(2)
            }
            iterating.cancel()
            let result = await iterating.result
            await settling.value
            #expect(result.error == nil || result.error is CancellationError)
        }
    }
}
