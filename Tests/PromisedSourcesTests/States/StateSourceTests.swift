import Foundation
import PromisedSources
import Synchronization
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct StateSourceTests {
    final class Number: StateSource {
        let state = SourceState<Int>()
        let initials = Threadsafe(wrappedValue: 0)
        let starts = Seen<Int>()
        var initialModel: Int {
            initials.wrappedValue += 1
            return 1
        }
        func start() { starts.add(model) }
    }

    @Test(
        "SA-01: the initial model is computed at most once, however it is looked at, and work starts after that"
    )
    func initialModel() {
        let number = Number()
        let source = number.eraseToSource()
        #expect(number.initials.wrappedValue == 0 && number.starts.values == [])
        #expect(source.value == 1 && source.value == 1 && number.model == 1)
        let token = source.subscribe { _ in }
        #expect(number.initials.wrappedValue == 1 && number.starts.values == [1])
        token.cancel()

    }

    @Test("SA-01: the first read returns the initial model, also if the start of the source sets another one")
    func setAtStart() {
        final class Number: StateSource {
            let state = SourceState<Int>()
            var initialModel: Int { 1 }
            func start() { model = 2 }
        }
        let numbers = (0..<2).map { _ in Number() }
        #expect(numbers[0].model == 1 && numbers[0].model == 2)
        let source = numbers[1].eraseToSource()
        #expect(source.value == 1 && source.value == 2)
    }

    @Test("SA-01: two threads that look at the same time compute one initial model and start one work")
    func twoThreads() {
        final class Number: StateSource {
            let state = SourceState<Int>()
            let looks = Atomic(0)
            let initials = Atomic(0)
            let starts = Atomic(0)
            var initialModel: Int {
                initials.wrappingAdd(1, ordering: .relaxed)
                // Until the other thread looks as well, or else it may come too late to make a difference.
                for _ in 0..<100_000 where looks.load(ordering: .acquiring) < 2 {}
                return 1
            }
            func start() { starts.wrappingAdd(1, ordering: .relaxed) }
        }
        let numbers = (0..<200).map { _ in Number() }
        let look: @Sendable (Int) -> Void = { round in
            numbers[round].looks.wrappingAdd(1, ordering: .acquiringAndReleasing)
            #expect(numbers[round].model == 1)
        }
        race(numbers.count, look, look)
        #expect(numbers.allSatisfy { $0.initials.load(ordering: .relaxed) == 1 })
        #expect(numbers.allSatisfy { $0.starts.load(ordering: .relaxed) == 1 })
    }

    @Test("a model that is set before the first read is the first model")
    func setFirst() {
        let number = Number()
        number.model = 5
        #expect(number.model == 5 && number.initials.wrappedValue == 0 && number.starts.values == [5])
    }

    @Test("a subscriber is the first to look")
    func subscribedFirst() {
        let (number, seen) = (Number(), Seen<Int>())
        let token = number.eraseToSource().subscribe { seen.add($0) }
        #expect(seen.values == [1] && number.starts.values == [1])
        number.model = 2
        #expect(seen.values == [1, 2])
        token.cancel()
    }

    @Test(
        "SA-04: each assignment publishes once, equal values included, and is visible before subscribers run")
    func assignment() {
        let (number, told, read) = (Number(), Seen<Int>(), Seen<Int>())
        let source = number.eraseToSource()
        let token = source.subscribe(replayCurrent: false) {
            told.add($0)
            read.add(source.value)
        }
        number.model = 5
        number.model = 5
        #expect(told.values == [5, 5] && read.values == [5, 5])
        token.cancel()
    }

    @Test("SA-03, SA-04: a set inside of a delivery is visible at once, and delivered afterwards")
    func nested() {
        let (number, first, second, read) = (Number(), Seen<Int>(), Seen<Int>(), Seen<Int>())
        let tokens = [
            number.eraseToSource().subscribe(replayCurrent: false) {
                first.add($0)
                if $0 == 1 {
                    number.model = 2
                    read.add(number.model)
                }
            },
            number.eraseToSource().subscribe(replayCurrent: false) { second.add($0) },
        ]
        number.model = 1
        #expect(first.values == [1, 2] && second.values == [1, 2] && read.values == [2])
        withExtendedLifetime(tokens) {}
    }

    @Test("SA-04: assignments from eight threads are each published once, to all in one order")
    func threads() async {
        let (number, first, second) = (Number(), Seen<Int>(), Seen<Int>())
        let source = number.eraseToSource()
        let tokens = [first, second].map { seen in source.subscribe(replayCurrent: false) { seen.add($0) } }
        await withTaskGroup { group in
            for task in 0..<8 { group.addTask { for step in 0..<100 { number.model = task * 100 + step } } }
        }
        #expect(first.values.count == 800 && first.values == second.values && Set(first.values).count == 800)
        withExtendedLifetime(tokens) {}
    }

    @Test("changes as one step lose no update, and one that throws changes nothing")
    func updates() async {
        struct Failure: Error {}
        let number = Number()
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<1_000 { number.update { $0 += 1 } } } }
        }
        #expect(number.model == 8_001)
        #expect(throws: Failure.self) {
            try number.update { value in
                value = 0
                throw Failure()
            }
        }
        #expect(number.model == 8_001 && number.update { $0 * 2 } == 16_002)
    }

    @Test("SA-05: an erased source keeps its owner, and a subscription lives as long as the owner")
    func erasing() {
        var number: Number? = Number()
        weak let owner = number
        let seen = Seen<Int>()
        var first = number?.eraseToSource()
        let second = number?.eraseToSource()
        #expect(first == second)
        let token = first?.subscribe(replayCurrent: false) { seen.add($0) }
        first = nil
        number?.model = 7
        #expect(seen.values == [7])
        number = nil
        #expect(owner != nil && second?.value == 7)
        owner?.model = 8
        #expect(seen.values == [7, 8])
        withExtendedLifetime(token) {}
    }

    @Test("SA-05: a subscription alone does not keep the owner; its end ends the values")
    func released() async {
        var number: Number? = Number()
        weak let owner = number
        let values = number?.eraseToSource().values
        let token = number?.eraseToSource().subscribe { _ in }
        number?.model = 2
        number = nil
        #expect(owner == nil)
        var all: [Int] = []
        if let values { for await value in values { all.append(value) } }
        #expect(all == [1, 2])
        withExtendedLifetime(token) {}
    }

    @Test("SA-10: a composed source is built once, lazily")
    func composed() {
        let (number, builds) = (Number(), Threadsafe(wrappedValue: 0))
        let sum = ComposedSource {
            builds.wrappedValue += 1
            return number.eraseToSource().map { $0 + 1 }
        }
        #expect(builds.wrappedValue == 0)
        let (first, second) = (sum.eraseToSource(), sum.eraseToSource())
        number.model = 4
        #expect(first.value == 5 && second.value == 5 && builds.wrappedValue == 1 && first == second)
    }

    @Test("SA-11: a guarded value is changed in place as one step")
    func threadsafe() {
        let count = Threadsafe(wrappedValue: 0)
        race(20_000, { _ in count.wrappedValue += 1 }, { _ in count.wrappedValue += 1 })
        #expect(count.wrappedValue == 40_000)
    }

    @Test("a guarded value that is being changed in place waits with a change of another thread")
    func changedMeanwhile() {
        let count = Threadsafe(wrappedValue: 0)
        for _ in 1...50 {
            let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            func change(_ value: inout Int) {
                Thread.detachNewThread {
                    begun.signal()
                    count.wrappedValue += 1
                    ended.signal()
                }
                begun.wait()
                // Long enough for a change that does not wait; one that does is not hurried by more.
                for _ in 1...1_000 { sched_yield() }
                value += 1
            }
            change(&count.wrappedValue)
            ended.wait()
        }
        #expect(count.wrappedValue == 100)
    }

    @Test("SA-63: what a source depends on is passed to it")
    func dependencies() {
        protocol HasClock: Sendable { var hour: Int { get } }
        struct Fake: HasClock { var hour: Int { 7 } }
        final class Greeting: StateSource {
            typealias Dependencies = HasClock
            let state = SourceState<String>()
            private let dependencies: any Dependencies
            init(_ dependencies: any Dependencies) { self.dependencies = dependencies }
            var initialModel: String { dependencies.hour < 12 ? "Good morning" : "Good day" }
        }
        #expect(Greeting(Fake()).eraseToSource().value == "Good morning")
    }

    @Test("SA-64: a released source drops the result of its work, and is released")
    func asyncWork() async {
        final class Loading: StateSource {
            let state = SourceState<String>()
            var initialModel: String { "loading" }
            func load(_ result: Promise<String>) -> Task<Void, Never> {
                Task { [weak self] in
                    let text = try? await result.value
                    self?.model = text ?? "failed"
                }
            }
        }
        let (result, resolver) = Promise<String>.pending()
        var loading: Loading? = Loading()
        weak let owner = loading
        let seen = Seen<String>()
        let token = loading?.eraseToSource().subscribe { seen.add($0) }
        let work = loading?.load(result)
        loading = nil
        #expect(owner == nil)
        resolver.fulfill("late")
        await work?.value
        #expect(seen.values == ["loading"])
        withExtendedLifetime(token) {}

        let (other, answer) = Promise<String>.pending()
        let living = Loading()
        let task = living.load(other)
        answer.fulfill("there")
        await task.value
        #expect(living.model == "there")
    }

    @Test("a sequence of the models ends with the owner", .timeLimit(.minutes(10)))
    func end() async {
        final class Number: StateSource {
            let state = SourceState<Int>()
            var initialModel: Int { 1 }
        }
        var number: Number? = Number()
        let values = number?.eraseToSource().values
        number?.model = 2
        number = nil
        var seen: [Int] = []
        if let values { for await value in values { seen.append(value) } }
        #expect(seen == [1, 2])
    }
}
