import Promise
import Synchronization
import TestSupport
import Testing

extension Heavy {
    @Suite(.tags(.sharedState)) struct CombiningRaceTests {}
}

/// Members settle on several threads while they are added, and while the combinator is cancelled.
extension Heavy.CombiningRaceTests {
    private typealias Pair = (promise: Promise<Int>, resolver: Resolver<Int>)

    private var count: Int { rounds(300, stress: 2000) }

    private func pairs(_ count: Int) -> [[Pair]] {
        (0..<count).map { _ in (0..<3).map { _ in Promise<Int>.pending() } }
    }

    @Test("R4: members settle on three threads while they are added: all values, in order") func all() {
        let pairs = pairs(count)
        let all = pairs.map { Promise.parallel($0.map(\.promise)) }
        let zips = pairs.map { Promise.zip($0[0].promise, $0[1].promise, $0[2].promise) }
        race(
            count,
            (0..<3).map { number in
                { round in
                    if number == 1 {
                        all[round].start()
                        zips[round].start()
                    }
                    pairs[round][number].resolver.fulfill(number)
                }
            })
        #expect(all.allSatisfy { $0.result?.value == [0, 1, 2] })
        #expect(zips.allSatisfy { $0.result?.value.map { $0 == (0, 1, 2) } == true })
    }

    @Test("R4: a race of members on three threads has one winner, and all members settle")
    func first() {
        let pairs = pairs(count)
        let races = pairs.map { Promise.race($0.map(\.promise)) }
        let heard = Atomic(0)
        races.forEach { $0.done { _ in heard.wrappingAdd(1, ordering: .relaxed) } }
        race(
            count,
            (0..<3).map { number in { round in pairs[round][number].resolver.fulfill(number) } })
        #expect(heard.load(ordering: .relaxed) == count)
        for (race, pairs) in zip(races, pairs) {
            guard let winner = race.result?.value, pairs[winner].promise.result?.value == winner else {
                Issue.record("no winner")
                continue
            }
            // The losers were cancelled, or had settled before.
            #expect(pairs.allSatisfy { $0.promise.result != nil })
        }
    }

    @Test("R4: errors on three threads: any and allSettled collect all of them") func errors() {
        let pairs = pairs(count)
        let none = pairs.map { Promise.any($0.map(\.promise)).start() }
        let settled = pairs.map { Promise.allSettled($0.map(\.promise)).start() }
        race(
            count,
            (0..<3).map { number in { round in pairs[round][number].resolver.reject(Boom("\(number)")) } })
        for round in 0..<count {
            guard case .failure(PromiseError.noneFulfilled(let errors)) = none[round].result else {
                Issue.record("another outcome")
                continue
            }
            #expect(errors.map { "\($0)" } == ["0", "1", "2"])
            #expect(settled[round].result?.value?.map { "\($0.error!)" } == ["0", "1", "2"])
        }
    }

    @Test("R4: a combinator cancelled while its members settle has one outcome, and leaves no member pending")
    func cancelled() {
        let pairs = pairs(count)
        let all = pairs.map { Promise.parallel($0.map(\.promise)).start() }
        race(
            count,
            { round in all[round].cancel() },
            { round in for pair in pairs[round] { pair.resolver.fulfill(1) } })
        for round in 0..<count {
            let result = all[round].result
            #expect(result?.value == [1, 1, 1] || result?.error is CancellationError)
            #expect(pairs[round].allSatisfy { $0.promise.result != nil })
        }
    }

    @Test("R4: a combinator cancelled while it starts withdraws from every member") func cancelledAtStart() {
        let pairs = pairs(count)
        let all = pairs.map { Promise.allSettled($0.map(\.promise)) }
        race(count, { round in all[round].start() }, { round in all[round].cancel() })
        for round in 0..<count {
            #expect(all[round].result?.error is CancellationError)
            // Members that were never started are still pending, with no interest in them.
            for pair in pairs[round] { pair.promise.start() }
            #expect(pairs[round].allSatisfy { $0.resolver.isCancelled || $0.resolver.fulfill(1) })
        }
    }
}

extension Heavy.CombiningRaceTests {
    private static func nested(_ source: Promise<Int>) -> Promise<Int> {
        var promise = source
        for turn in 0..<min(100_000, rounds(2_000, stress: 20_000)) {
            switch turn % 3 {
            case 0: promise = .race(promise)
            case 1: promise = .any(promise, .init(error: CancellationError()))
            default: promise = Promise.parallel([promise]).map { $0[0] }
            }
        }
        return promise
    }

    @Test("R10: nested combinators use constant stack when settled, cancelled or released") func depth() {
        let ends = onThreads(
            {
                let (source, resolver) = Promise<Int>.pending()
                let promise = Self.nested(source).start()
                resolver.fulfill(7)
                return promise.result?.value == 7
            },
            {
                let (source, resolver) = Promise<Int>.pending()
                let promise = Self.nested(source).start()
                promise.cancel()
                return promise.result?.error is CancellationError && resolver.isCancelled
            },
            {
                let (source, resolver) = Promise<Int>.pending()
                _ = Self.nested(source)
                return !resolver.isCancelled
            })
        #expect(ends == [true, true, true])
    }
}
