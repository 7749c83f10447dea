import Promise
import PromisedTesting
import Synchronization
import TestSupport
import Testing

extension Heavy {
    @Suite(.tags(.sharedState)) struct RaceTests {}
}

/// Enough rounds for the thread sanitizer to detect a data race.
extension Heavy.RaceTests {
    private var count: Int { rounds(2_000, stress: 20_000) }

    private func pairs(_ count: Int = rounds(2_000, stress: 20_000)) -> [(
        promise: Promise<Int>, resolver: Resolver<Int>
    )] {
        (0..<count).map { _ in Promise<Int>.pending() }
    }

    @Test("R4: settling against settling has one winner, and all observers receive its outcome")
    func settle() {
        let pairs = self.pairs()
        let wins = Atomic(0)
        let heard = Lock([[Int]](repeating: [], count: count))
        for (index, pair) in pairs.enumerated() {
            for _ in 0..<2 { pair.promise.done { value in heard.withLock { $0[index].append(value) } } }
        }
        race(
            count,
            (1...3).map { number in
                { index in
                    if pairs[index].resolver.fulfill(number) { wins.wrappingAdd(1, ordering: .relaxed) }
                }
            })
        #expect(wins.load(ordering: .relaxed) == count)
        heard.withLock { heard in
            for (index, values) in heard.enumerated() {
                let value = pairs[index].promise.result?.value
                if values != [value, value] { Issue.record("\(values) but \(value as Int?)") }
            }
        }
    }

    @Test("R4: eight threads settle one promise, 300 rounds") func eight() {
        for _ in 0..<rounds(50, stress: 300) {
            let (promise, resolver) = Promise<Int>.pending()
            let wins = Atomic(0)
            race(
                1,
                (0..<8).map { number in
                    { _ in
                        let won =
                            number % 2 == 0
                            ? resolver.fulfill(number) : resolver.reject(Boom("\(number)"))
                        if won { wins.wrappingAdd(1, ordering: .relaxed) }
                    }
                })
            #expect(wins.load(ordering: .relaxed) == 1)
            _ = promise.result
        }
    }

    @Test("R4: attaching against settling loses no handler") func attach() {
        let pairs = self.pairs()
        let heard = Atomic(0)
        race(
            count, { pairs[$0].resolver.fulfill($0) },
            { pairs[$0].promise.map { $0 }.done { _ in heard.wrappingAdd(1, ordering: .relaxed) } })
        #expect(heard.load(ordering: .relaxed) == count)
    }

    @Test("R4: two threads that start a promise run the work once") func starters() {
        let runs = Atomic(0)
        let heard = Atomic(0)
        let promises = (0..<count).map { _ in
            Promise<Int> {
                runs.wrappingAdd(1, ordering: .relaxed)
                $0.fulfill(1)
            }.map { $0 }
        }
        let look: @Sendable (Int) -> Void = { index in
            promises[index].done { _ in heard.wrappingAdd(1, ordering: .relaxed) }
        }
        race(count, look, look)
        #expect(runs.load(ordering: .relaxed) == count)
        #expect(heard.load(ordering: .relaxed) == 2 * count)
    }

    @Test("R4: cancelling against settling: every observer receives the same outcome, once", arguments: 0..<3)
    func cancel(_ kind: Int) {
        let pairs = self.pairs()
        let heard = Atomic(0)
        let runs = Atomic(0)
        let derived = pairs.map { pair -> Promise<Int> in
            let promise =
                switch kind {
                case 0: pair.promise.map { $0 + 1 }
                case 1: pair.promise.flatMap { value in Promise<Int> { $0.fulfill(value + 1) } }
                default: pair.promise.ensure { runs.wrappingAdd(1, ordering: .relaxed) }.map { $0 + 1 }
                }
            promise.finally { heard.wrappingAdd(1, ordering: .relaxed) }
            return promise
        }
        race(count, { pairs[$0].resolver.fulfill($0) }, { derived[$0].cancel() })
        #expect(heard.load(ordering: .relaxed) == count)
        if kind == 2 { #expect(runs.load(ordering: .relaxed) == count) }
        for (index, promise) in derived.enumerated() {
            switch promise.result {
            case .success(let value): if value != index + 1 { Issue.record("\(value) at \(index)") }
            case .failure(let error): if !(error is CancellationError) { Issue.record("\(error)") }
            case nil: Issue.record("not settled: \(index)")
            }
        }
    }

    @Test("R4: cancelling against starting: the work runs and is cancelled, or never runs")
    func cancelStart() {
        let runs = Atomic(0)
        let stops = Atomic(0)
        let heard = Atomic(0)
        let promises = (0..<count).map { _ in
            Promise<Int> {
                runs.wrappingAdd(1, ordering: .relaxed)
                $0.onCancel { stops.wrappingAdd(1, ordering: .relaxed) }
            }.map { $0 }.recover { Promise(error: $0) }
        }
        race(
            count,
            { index in promises[index].catch { _ in heard.wrappingAdd(1, ordering: .relaxed) } },
            { promises[$0].cancel() })
        #expect(heard.load(ordering: .relaxed) == count)
        #expect(stops.load(ordering: .relaxed) <= runs.load(ordering: .relaxed))
        for promise in promises where promise.result == nil { Issue.record("not settled") }
    }

    @Test("R4: starting against settling against cancelling: a chain has one outcome") func three() {
        let pairs = self.pairs()
        let heard = Atomic(0)
        let derived = pairs.map { pair in
            pair.promise.flatMap { value in pair.promise.map { $0 + value }.flatMap { .value($0) } }
        }
        race(
            count,
            { index in derived[index].finally { heard.wrappingAdd(1, ordering: .relaxed) } },
            { pairs[$0].resolver.fulfill(1) },
            { derived[$0].cancel() })
        #expect(heard.load(ordering: .relaxed) == count)
        for promise in derived where promise.result == nil { Issue.record("not settled") }
    }

    @Test("R4: reporting against settling against cancelling: in order, never after the outcome")
    func report() {
        let pairs = self.pairs()
        let heard = Lock([[Int]](repeating: [], count: count))
        let derived = pairs.enumerated().map { index, pair in
            let promise = pair.promise.map { $0 }
            promise.observe { update in
                switch update {
                case .interim(let value): heard.withLock { $0[index].append(value.value) }
                case .outcome: heard.withLock { $0[index].append(-1) }
                }
            }.unused()
            return promise
        }
        race(
            count,
            { index in for value in 1...3 { pairs[index].resolver.report(value) } },
            { pairs[$0].resolver.fulfill(9) },
            { if $0 % 2 == 0 { derived[$0].cancel() } else { pairs[$0].promise.cancel() } })
        heard.withLock { heard in
            for values in heard
            where values.last != -1 || values.dropLast() != [1, 2, 3].prefix(values.count - 1) {
                Issue.record("heard \(values)")
            }
        }
    }

    @Test("R4: releasing against settling: the outcome is the value or the abandonment") func drop() {
        let promises: [(Promise<Int>, Box<Resolver<Int>>, Box<Resolver<Int>>)] = pairs().map {
            ($0.promise, Box($0.resolver), Box($0.resolver))
        }
        let heard = Atomic(0)
        for (promise, _, _) in promises {
            promise.catch { _ in }.finally { heard.wrappingAdd(1, ordering: .relaxed) }
        }
        race(
            count, { promises[$0].1.value = nil },
            { if $0 % 2 == 0 { promises[$0].2.value?.fulfill(1) } else { promises[$0].2.value = nil } },
            { promises[$0].2.value = nil })
        #expect(heard.load(ordering: .relaxed) == count)
    }

    @Test("R4: withdrawing the last interest cancels the work, in any order of the branches")
    func branches() {
        let stops = Atomic(0)
        let pairs = self.pairs()
        let branches = pairs.map { pair in
            pair.resolver.onCancel { stops.wrappingAdd(1, ordering: .relaxed) }
            return (0..<2).map { _ in pair.promise.map { $0 }.catch { _ in } }
        }
        race(count, { branches[$0][0].cancel() }, { branches[$0][1].cancel() })
        #expect(stops.load(ordering: .relaxed) == count)
        withExtendedLifetime(pairs) {}
    }

    @Test(
        "R4: attaching against cancelling: each branch of a pending promise has one outcome",
        arguments: [true, false])
    func living(_ reports: Bool) {
        let count = rounds(500, stress: 4_000)
        let (promise, resolver) = Promise<Int>.pending()
        promise.start()
        let heard = Atomic(0)
        let look: @Sendable (Int) -> Void = { index in
            let branch = promise.map { $0 }
            branch.finally { heard.wrappingAdd(1, ordering: .relaxed) }
            if reports { resolver.report(index) }
            branch.cancel()
        }
        race(count, look, look)
        #expect(heard.load(ordering: .relaxed) == 2 * count)
        resolver.fulfill(1)
    }

    @Test("R4: a timeout's timer is released whether the promise settles before or after it is set")
    func timers() {
        let scheduler = TestScheduler()
        let pairs = self.pairs()
        race(
            count, { pairs[$0].promise.timeout(.seconds(1), on: scheduler).start() },
            { pairs[$0].resolver.fulfill(1) })
        #expect(scheduler.pendingCount == 0)
    }

    @Test("R4: errors of parallel members that fail on several threads are not reported") func gathering() {
        let count = rounds(1_000, stress: 10_000)
        Reports.begin()
        let error = Boom.unique()
        let pairs = (0..<3).map { _ in self.pairs(count) }
        let heard = Atomic(0)
        for index in 0..<count {
            Promise<Int>.parallel(pairs.map { $0[index].promise }).catch { _ in
                heard.wrappingAdd(1, ordering: .relaxed)
            }
        }
        race(count, { pairs[0][$0].resolver.reject(error) }, { pairs[1][$0].resolver.reject(error) })
        #expect(heard.load(ordering: .relaxed) == count)
        for pair in pairs[2] where !pair.resolver.isCancelled { Issue.record("a member was not cancelled") }
    }

    @Test("R4: await loses no wake-up: cancellation against settlement") func awaiting() async {
        let count = rounds(500, stress: 5_000)
        var wins = 0
        for index in 0..<count {
            let (promise, resolver) = Promise<Int>.pending()
            let waiting = Task.detached { try await promise.value }
            let settling = Task.detached { resolver.fulfill(index) }
            waiting.cancel()
            switch await waiting.result {
            case .success(let value): wins += value == index ? 1 : 0
            case .failure(let error): wins += error is CancellationError ? 1 : 0
            }
            _ = await settling.value
        }
        #expect(wins == count)
    }
}

extension Observation {
    func unused() {}
}
