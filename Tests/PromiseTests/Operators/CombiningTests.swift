import Promise
import PromisedTesting
import Testing

@Suite struct CombiningTests {
    @Test("PK-17: zip has all values, in the order of the arguments") func zip() throws {
        let (a, ra) = Promise<Int>.pending()
        let (b, rb) = Promise<String>.pending()
        let (c, rc) = Promise<Bool>.pending()
        let all = Promise.zip(a, b, c)
        let log = all.traced()
        rc.fulfill(true)
        ra.fulfill(1)
        #expect(log.lines.isEmpty)
        rb.fulfill("x")
        #expect(log.lines == ["(1, \"x\", true)"])
        let value = try #require(all.result?.value)
        #expect(value == (1, "x", true))
    }

    @Test("PK-17: zip takes two to six members, also in the published form") func arity() throws {
        let one = Promise.value(1)
        #expect(try #require(Promise<(Int, Int)>.zip(one, one).start().result?.value) == (1, 1))
        #expect(try #require(Promise.zip(one, one, one).start().result?.value) == (1, 1, 1))
        #expect(try #require(Promise.zip(one, one, one, one).start().result?.value) == (1, 1, 1, 1))
        #expect(try #require(Promise.zip(one, one, one, one, one).start().result?.value) == (1, 1, 1, 1, 1))
        let six = try #require(Promise.zip(one, one, one, one, one, one).start().result?.value)
        #expect(six == (1, 1, 1, 1, 1, 1))
    }

    @Test("R2: zip takes no, one and ten members") func otherArities() throws {
        let one = Promise { $0.fulfill(1) }
        #expect(Promise<Void>.zip().start().result?.value != nil)
        #expect(Promise<Int>.zip(one).traced().lines == ["1"])
        #expect(Promise.zip(one).traced().lines == ["1"])
        let ten = Promise.zip(one, one, one, one, one, one, one, one, one, Promise.value("ten"))
        #expect(ten.traced().lines == ["(1, 1, 1, 1, 1, 1, 1, 1, 1, \"ten\")"])
    }

    @Test("R2: zip and parallel do not start the members after one that is already rejected")
    func rejectedMember() {
        let runs = Counter()
        let work = Promise { $0.fulfill(runs.up()) }
        let failed = Promise<Int>(error: Boom("e"))
        #expect(Promise.zip(.value(1), failed, work).traced().lines == ["!e"])
        #expect(Promise.parallel([failed, work]).traced().lines == ["!e"])
        #expect(runs.value == 0)
        #expect(work.start().result?.value == 1)
    }

    @Test("PK-17: zip is rejected by the first rejection, and cancels the pending member") func zipRejects() {
        let (a, ra) = Promise<Int>.pending()
        let (b, rb) = Promise<Int>.pending()
        let log = Promise<(Int, Int)>.zip(a, b).traced()
        rb.reject(Boom("b"))
        #expect(log.lines == ["!b"])
        #expect(ra.isCancelled)
        #expect(a.result?.error is CancellationError)
        #expect(!ra.fulfill(1))
        #expect(log.lines == ["!b"])
    }

    @Test("PK-17: a member with other observers is not cancelled") func zipShared() {
        let (a, ra) = Promise<Int>.pending()
        let other = a.traced()
        Promise<(Int, Int)>.zip(a, Promise(error: Boom("b"))).catch { _ in }
        #expect(!ra.isCancelled)
        ra.fulfill(5)
        #expect(other.lines == ["5"])
    }

    @Test("PK-17: all members start together") func zipStarts() {
        let log = Log()
        let kept = Box<Resolver<Int>>()
        let first = Promise<Int> {
            log("first")
            kept.value = $0
        }
        let second = Promise<Int> {
            log("second")
            $0.fulfill(2)
        }
        let all = Promise<(Int, Int)>.zip(first, second)
        #expect(log.lines.isEmpty)
        all.trace(log)
        #expect(log.lines == ["first", "second"])
        kept.value?.fulfill(1)
        #expect(log.lines == ["first", "second", "(1, 2)"])
    }

    @Test("PK-17: cancelling cancels the members, once each") func zipCancelled() {
        let cancelled = Log()
        let (a, ra) = Promise<Int>.pending()
        let (b, rb) = Promise<Int>.pending()
        ra.onCancel { cancelled("a") }
        rb.onCancel { cancelled("b") }
        let all = Promise<(Int, Int)>.zip(a, b)
        let log = all.traced()
        ra.fulfill(1)
        all.cancel()
        #expect(log.lines == ["!CancellationError()"])
        #expect(cancelled.lines == ["b"])
    }

    @Test("PK-17: zip can have the same promise twice") func zipSame() {
        let runs = Counter()
        let work = Promise<Int> { $0.fulfill(runs.up()) }
        #expect(Promise<(Int, Int)>.zip(work, work).traced().lines == ["(1, 1)"])
    }

    @Test("PK-18: parallel has the values in input order, whichever member settles first") func parallel() {
        let scheduler = TestScheduler()
        let finished = Log()
        let members = [(1, 2), (2, 3), (3, 1)].map { number, seconds in
            Promise.value("r\(number)").delay(.seconds(seconds)).ensure { finished(number) }
        }
        let all = Promise<[String]>.parallel(members).start(on: scheduler)
        scheduler.advance(by: .seconds(2))
        #expect(all.result == nil)
        scheduler.advance(by: .seconds(1))
        #expect(finished.lines == ["3", "1", "2"])
        #expect(all.result?.value == ["r1", "r2", "r3"])
    }

    @Test("PK-18: parallel of an empty list is fulfilled at once") func parallelEmpty() {
        #expect(Promise<Int>.parallel([]).result?.value == [])
        #expect(Promise<Int>.parallel([]).traced().lines == ["[]"])
        #expect(Promise<[Int]>.parallel([Promise<Int>]()).traced().lines == ["[]"])
    }

    @Test("PK-18: parallel is rejected by the first rejection and cancels the rest") func parallelRejects() {
        let pairs = (0..<4).map { _ in Promise<Int>.pending() }
        let log = Promise<Int>.parallel(pairs.map(\.promise)).traced()
        pairs[0].resolver.fulfill(0)
        pairs[2].resolver.reject(Boom("2"))
        #expect(log.lines == ["!2"])
        #expect(pairs.map(\.resolver.isCancelled) == [false, true, false, true])
    }

    @Test("PK-18: parallel keeps values that are nil") func parallelOptional() {
        let all = Promise<Int?>.parallel([.value(1), .value(nil), .value(3)])
        #expect(all.start().result?.value == [1, nil, 3])
    }

    @Test("PK-18: many members, each order, one result") func parallelMany() {
        let pairs = (0..<1000).map { _ in Promise<Int>.pending() }
        let all = Promise<Int>.parallel(pairs.map(\.promise)).start()
        for index in stride(from: 999, through: 0, by: -1) { pairs[index].resolver.fulfill(index) }
        #expect(all.result?.value == Array(0..<1000))
    }

    @Test("PK-18: a member that throws, is abandoned or is cancelled rejects parallel")
    func parallelOutcomes() {
        let throwing = Promise<Int> { _ in throw Boom("thrown") }
        #expect(Promise<Int>.parallel([.value(1), throwing]).traced().lines == ["!thrown"])
        let abandoned = Promise<Int>.parallel([.value(1), Promise<Int> { _ in }]).start()
        if case .failure(PromiseError.abandoned) = abandoned.result {} else { Issue.record("not abandoned") }
        let (pending, resolver) = Promise<Int>.pending()
        let log = Promise<Int>.parallel([.value(1), pending]).traced()
        pending.cancel()
        #expect(log.lines == ["!CancellationError()"])
        withExtendedLifetime(resolver) {}
    }
}
