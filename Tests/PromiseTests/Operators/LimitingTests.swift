import Promise
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.noSharedState)) struct LimitingTests {
    /// Elements whose promises are settled by the test, and a log of those that were made and cancelled.
    private final class Desk: Sendable {
        let log = Log()
        private let resolvers = Box<[Int: Resolver<Int>]>([:])

        func make(_ number: Int) -> Promise<Int> {
            log("+\(number)")
            return Promise { resolver in
                resolver.onCancel { [log = self.log] in log("-\(number)") }
                self.resolvers.value?[number] = resolver
            }
        }

        func settle(_ number: Int, _ result: Result<Int, any Error>) {
            guard let resolver = resolvers.value?[number] else { return log.add("\(number) was not made") }
            resolver.resolve(result)
        }

        func fulfill(_ number: Int) { settle(number, .success(number * 10)) }
    }

    @Test("parallel with a limit runs no more than that at a time, and has the values in order")
    func limited() {
        let desk = Desk()
        let all = Promise.parallel(1...5, limit: 2, desk.make)
        #expect(desk.log.lines.isEmpty)
        let log = all.traced()
        #expect(desk.log.lines == ["+1", "+2"])
        desk.fulfill(2)
        #expect(desk.log.lines == ["+1", "+2", "+3"])
        desk.fulfill(3)
        desk.fulfill(1)
        #expect(desk.log.lines == ["+1", "+2", "+3", "+4", "+5"])
        desk.fulfill(5)
        #expect(log.lines.isEmpty)
        desk.fulfill(4)
        #expect(log.lines == ["[10, 20, 30, 40, 50]"])
        #expect(desk.log.lines.count == 5)
    }

    @Test(
        "a limit below 1 counts as 1, and one above the number of elements has no effect",
        arguments: [Int.min, -1, 0, 1, 2, 3, 4, Int.max])
    func limits(_ limit: Int) {
        let desk = Desk()
        let log = Promise.parallel([1, 2, 3], limit: limit, desk.make).traced()
        #expect(desk.log.count == min(max(limit, 1), 3))
        for number in 1...3 { desk.fulfill(number) }
        #expect(log.lines == ["[10, 20, 30]"])
        #expect(Promise.parallel([Int](), limit: limit, desk.make).traced().lines == ["[]"])
    }

    @Test(
        "the first error cancels the promises that run, and no further one is made",
        arguments: 1...3, [true, false])
    func rejected(_ bad: Int, _ isThrown: Bool) {
        let desk = Desk()
        let all = Promise.parallel(1...9, limit: 3) { number -> Promise<Int> in
            if isThrown, number == bad + 3 { throw Boom("e") }
            return desk.make(number)
        }
        let log = all.traced()
        if isThrown {
            for number in 1...bad { desk.fulfill(number) }
        } else {
            desk.settle(bad, .failure(Boom("e")))
        }
        #expect(log.lines == ["!e"])
        let made = isThrown ? (1..<bad + 3) : 1..<4
        let open = isThrown ? (bad + 1..<bad + 3) : 1..<4
        let cancelled = open.filter { isThrown || $0 != bad }.map { "-\($0)" }
        #expect(desk.log.lines.filter { $0.hasPrefix("+") } == made.map { "+\($0)" })
        #expect(desk.log.lines.filter { $0.hasPrefix("-") }.sorted() == cancelled.sorted())
        for number in made { desk.fulfill(number) }
        #expect(desk.log.lines.count == made.count + cancelled.count)
    }

    @Test("cancelling it cancels the promises that run, and no further one is made") func cancelled() {
        let desk = Desk()
        let all = Promise.parallel(1...9, limit: 2, desk.make)
        let log = all.traced()
        desk.fulfill(1)
        all.cancel()
        #expect(log.lines == ["!CancellationError()"])
        #expect(
            desk.log.lines == ["+1", "+2", "+3", "-3", "-2"]
                || desk.log.lines == ["+1", "+2", "+3", "-2", "-3"])
        desk.fulfill(2)
        #expect(desk.log.count == 5)
    }

    @Test("a running promise with other observers is not cancelled") func shared() {
        let (first, resolver) = Promise<Int>.pending()
        let other = first.traced()
        let log = Promise.parallel([first, Promise(error: Boom("e")), .value(1)], limit: 2).traced()
        #expect(log.lines == ["!e"])
        resolver.fulfill(5)
        #expect(other.lines == ["5"])
    }

    @Test("existing promises, closures and the type of the result are accepted alike") func forms() {
        let started = Counter()
        let promises = (1...3).map { number in
            Promise<Int> {
                started.up()
                $0.fulfill(number)
            }
        }
        #expect(Promise.parallel(promises, limit: 1).traced().lines == ["[1, 2, 3]"])
        #expect(started.value == 3)
        let typed: Promise<[Int]> = .parallel(promises, limit: 2)
        #expect(typed.traced().lines == ["[1, 2, 3]"])
        let made: Promise<[String]> = .parallel([3, 4], limit: 2) { .value("\($0)") }
        #expect(made.traced().lines == ["[\"3\", \"4\"]"])
        let closures: [@Sendable () throws -> Promise<Int>] = [{ .value(5) }, { throw Boom("e") }]
        #expect(Promise.parallel(closures.prefix(1), limit: 2) { try $0() }.traced().lines == ["[5]"])
        #expect(Promise.parallel(closures, limit: 2) { try $0() }.traced().lines == ["!e"])
        let settled: Promise<[Result<Int, any Error>]> = .allSettled(promises)
        #expect(settled.start().result?.value?.map { $0.value } == [1, 2, 3])
        let two: Promise<[Result<Int, any Error>]> = .allSettled(.value(1), Promise(error: Boom("e")))
        #expect(two.start().result?.value?.map { $0.value } == [1, nil])
    }

    @Test("the promises run on the scheduler of the chain, and the second round makes them again")
    func clock() {
        let scheduler = TestScheduler()
        let made = Log()
        func all() -> Promise<[Int]> {
            Promise.parallel(1...4, limit: 2) { number in
                made("\(number) at \(scheduler.now)")
                return Promise.value(number).delay(.seconds(number))
            }
        }
        let (first, second) = (all(), all())
        first.start(on: scheduler)
        scheduler.run()
        #expect(first.result?.value == [1, 2, 3, 4])
        #expect(scheduler.now == .seconds(6))
        #expect(
            made.lines == ["1 at 0.0 seconds", "2 at 0.0 seconds", "3 at 1.0 seconds", "4 at 2.0 seconds"])
        second.start(on: scheduler)
        scheduler.run()
        #expect(second.result?.value == [1, 2, 3, 4])
        #expect(made.count == 8)
        first.start(on: scheduler)
        scheduler.run()
        #expect(made.count == 8)
    }

    @Test("R10: many elements that settle at once, one at a time, use constant stack") func deep() {
        let many = rounds(20_000, stress: 200_000)
        let sums = onThreads {
            Promise.parallel(0..<many, limit: 1) { .value($0) }.start().result?.value?.reduce(0, +)
        }
        #expect(sums == [many * (many - 1) / 2])
    }

    @Test("R7: elements, closure and values are released when it has ended", arguments: 0..<3)
    func released(_ end: Int) {
        weak var token: Token?
        let desk = Desk()
        let all: Promise<Int>
        do {
            let held = Token()
            token = held
            all = Promise.parallel([(1, held), (2, held), (3, held)], limit: 2) { number, token in
                withExtendedLifetime(held) { desk.make(number).map { ($0, token) } }
            }.map { $0.count }
        }
        all.start()
        #expect(token != nil)
        switch end {
        case 0: for number in 1...3 { desk.fulfill(number) }
        case 1: desk.settle(2, .failure(Boom()))
        default: all.cancel()
        }
        #expect(token == nil)
        #expect(all.result != nil)
    }
}
