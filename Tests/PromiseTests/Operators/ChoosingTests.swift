import Promise
import PromisedTesting
import TestSupport
import Testing

@Suite struct ChoosingTests {
    let scheduler = TestScheduler()

    private func pending(_ count: Int) -> [(promise: Promise<Int>, resolver: Resolver<Int>)] {
        (0..<count).map { _ in Promise<Int>.pending() }
    }

    // MARK: race

    @Test("R2: race settles with the first settled member, by a value or an error", arguments: [true, false])
    func raceFirst(_ isFulfilled: Bool) {
        let members = pending(3)
        let log = Promise.race(members.map(\.promise)).traced()
        #expect(log.lines.isEmpty)
        if isFulfilled { members[1].resolver.fulfill(1) } else { members[1].resolver.reject(Boom("1")) }
        #expect(log.lines == [isFulfilled ? "1" : "!1"])
        #expect(members.map(\.resolver.isCancelled) == [true, false, true])
        #expect(!members[0].resolver.fulfill(0))
        #expect(log.count == 1)
    }

    @Test("R2: race counts an abandoned or a cancelled member as settled") func raceOtherOutcomes() {
        let (never, resolver) = Promise<Int>.pending()
        let abandoned = Promise.race(never, Promise<Int> { _ in }).start()
        if case .failure(PromiseError.abandoned) = abandoned.result {} else { Issue.record("not abandoned") }
        let (cancelled, second) = Promise<Int>.pending()
        let (other, third) = Promise<Int>.pending()
        let log = Promise.race(other, cancelled).traced()
        cancelled.cancel()
        #expect(log.lines == ["!CancellationError()"])
        #expect(third.isCancelled)
        withExtendedLifetime((resolver, second)) {}
    }

    @Test("R2: race and any start their members together, in order, and only when started")
    func startTogether() {
        for combine in [Promise<Int>.race, Promise<Int>.any]
            as [@Sendable ([Promise<Int>], StaticString, UInt) -> Promise<Int>]
        {
            let log = Log()
            let kept = Box<[Resolver<Int>]>([])
            let members = (1...3).map { number in
                Promise<Int> { resolver in
                    log(number)
                    kept.value?.append(resolver)
                }
            }
            let combined = combine(members, #fileID, #line)
            #expect(log.lines.isEmpty)
            combined.trace(log)
            #expect(log.lines == ["1", "2", "3"])
            kept.value?[2].fulfill(7)
            #expect(log.lines == ["1", "2", "3", "7"])
        }
    }

    @Test("R2: a settled member decides a race at once, and later members are not started")
    func raceSettledMember() {
        let runs = Counter()
        let work = Promise { $0.fulfill(runs.up()) }
        #expect(Promise.race(.value(5), work).traced().lines == ["5"])
        #expect(Promise.race(Promise(error: Boom("e")), work).traced().lines == ["!e"])
        #expect(Promise.any(Promise(error: Boom("e")), .value(6), work).traced().lines == ["6"])
        #expect(runs.value == 0)
        #expect(work.start().result?.value == 1)
    }

    @Test("R2: a race does not cancel a loser that has other observers") func raceShared() {
        let members = pending(2)
        let other = members[0].promise.traced()
        let log = Promise.race(members.map(\.promise)).traced()
        members[1].resolver.fulfill(1)
        #expect(log.lines == ["1"])
        #expect(!members[0].resolver.isCancelled)
        members[0].resolver.fulfill(0)
        #expect(other.lines == ["0"])
    }

    @Test("R2: race and any without members are rejected with empty") func empty() {
        let made: [Promise<Int>] = [.race([]), .race(), .any([]), .any()]
        for promise in made {
            guard case .failure(PromiseError.empty) = promise.result else {
                Issue.record("not empty: \(String(describing: promise.result))")
                continue
            }
        }
    }

    @Test(
        "R2: cancelling a combinator cancels each member once, except those with other observers",
        arguments: 0..<5)
    func cancelled(_ kind: Int) {
        let members = pending(3)
        let log = Log()
        for (number, member) in members.enumerated() { member.resolver.onCancel { log("cancel \(number)") } }
        members[2].promise.start()
        let promises = members.map(\.promise)
        let combined: Promise<Void> =
            switch kind {
            case 0: Promise.race(promises).map { _ in }
            case 1: Promise.any(promises).map { _ in }
            case 2: Promise.allSettled(promises).map { _ in }
            case 3: Promise.parallel(promises).map { _ in }
            default: Promise.zip(promises[0], promises[1], promises[2]).map { _ in }
            }
        combined.catch { log("\($0)") }
        combined.cancel()
        combined.cancel()
        #expect(log.lines == ["CancellationError()", "cancel 0", "cancel 1"])
        members[2].resolver.fulfill(2)
        #expect(members[2].promise.result?.value == 2)
    }

    @Test("R2: a combinator can have the same promise twice") func same() {
        let runs = Counter()
        let work = Promise { $0.fulfill(runs.up()) }
        #expect(Promise.race(work, work).traced().lines == ["1"])
        #expect(Promise.any(work, work).traced().lines == ["1"])
        let (promise, resolver) = Promise<Int>.pending()
        let race = Promise.race(promise, promise).traced()
        let all = Promise.allSettled(promise, promise).map { $0.map { try? $0.get() } }.start()
        resolver.fulfill(3)
        #expect(race.lines == ["3"])
        #expect(all.result?.value == [3, 3])
        #expect(Promise.parallel([promise, promise]).start().result?.value == [3, 3])
    }

    @Test("R2: the delays of a race run on the scheduler of its chain") func virtualTime() {
        let slow = Promise.value("slow").delay(.seconds(5))
        let fast = Promise.value("fast").delay(.seconds(3))
        let race = Promise.race(slow, fast).start(on: scheduler)
        scheduler.advance(by: .milliseconds(2999))
        #expect(race.result == nil)
        scheduler.advance(by: .milliseconds(1))
        #expect(race.result?.value == "fast")
        #expect(scheduler.pendingCount == 0)
    }

    // MARK: any

    @Test("R2: any settles with the first value, whatever was rejected before") func anyFirst() {
        let members = pending(3)
        let log = Promise.any(members.map(\.promise)).traced()
        members[2].resolver.reject(Boom("2"))
        #expect(log.lines.isEmpty)
        members[1].resolver.fulfill(1)
        #expect(log.lines == ["1"])
        #expect(members.map(\.resolver.isCancelled) == [true, false, false])
    }

    @Test("R2: any without a fulfilled member is rejected with all errors in member order")
    func anyNone() throws {
        let members = pending(3)
        let promises = members.map(\.promise) + [Promise { _ in }]
        let none = Promise.any(promises).start()
        members[2].resolver.reject(Boom("2"))
        members[0].promise.cancel()
        #expect(none.result == nil)
        members[1].resolver.reject(Boom("1"))
        guard case .failure(PromiseError.noneFulfilled(let errors)) = try #require(none.result) else {
            Issue.record("another outcome")
            return
        }
        #expect(errors.count == 4)
        #expect(errors[0] is CancellationError)
        #expect(errors[1] as? Boom == Boom("1"))
        #expect(errors[2] as? Boom == Boom("2"))
        guard case PromiseError.abandoned = errors[3] else {
            Issue.record("not abandoned")
            return
        }
    }

    // MARK: allSettled

    @Test("R2: allSettled has all outcomes in member order when the last member settles") func allSettled()
        throws
    {
        let members = pending(4)
        let all = Promise.allSettled(members.map(\.promise)).start()
        members[3].promise.cancel()
        members[2].resolver.fulfill(2)
        members[1].resolver.reject(Boom("1"))
        #expect(all.result == nil)
        #expect(members.map(\.resolver.isCancelled) == [false, false, false, true])
        members[0].resolver.fulfill(0)
        let results = try #require(all.result?.value)
        #expect(results.map { (try? $0.get()) ?? -1 } == [0, -1, 2, -1])
        #expect(results[1].error as? Boom == Boom("1"))
        #expect(results[3].error is CancellationError)
    }

    @Test("R2: allSettled without members, of settled members, and of abandoned work") func allSettledAtOnce()
        throws
    {
        #expect(Promise<Int>.allSettled([]).result?.value?.isEmpty == true)
        #expect(Promise<Int>.allSettled().result?.value?.isEmpty == true)
        let all = Promise.allSettled(.value(1), Promise(error: Boom("e")), Promise { _ in }).start()
        let results = try #require(all.result?.value)
        #expect(results[0].value == 1)
        #expect(results[1].error as? Boom == Boom("e"))
        #expect(results[2].error is PromiseError)
    }

    @Test("R2: allSettled starts all members together, whatever has been rejected") func allSettledStarts() {
        let log = Log()
        let members = (1...3).map { number in
            Promise<Int> { _ in
                log(number)
                throw Boom("\(number)")
            }
        }
        let all = Promise.allSettled([Promise(error: Boom("0"))] + members)
        #expect(log.lines.isEmpty)
        all.start()
        #expect(log.lines == ["1", "2", "3"])
        #expect(all.result?.value?.map { "\($0.error!)" } == ["0", "1", "2", "3"])
    }
}
