import Foundation
import PromisedSources
import TestSupport
import Testing

/// Actions of built sources that call other ones.
@Suite(.tags(.sharedState)) struct NestedOfferTests {
    struct Counter: Sendable {
        var count: Int
        var add: Action<Int>
        var addTwice: Action<Int>
        var reset: Action<Void>?
    }

    /// Where the closures find the present model.
    private final class Present: Sendable {
        private let source = Threadsafe<Source<Counter>?>(wrappedValue: nil)
        func set(_ source: Source<Counter>) { self.source.wrappedValue = source }
        var model: Counter? { source.wrappedValue?.value }
    }

    private func counter(_ present: Present, _ log: ActionLog? = nil) -> Source<Counter> {
        let source = BuiltSource(0, log: log) { count, offer in
            Counter(
                count: count, add: offer("add") { $0 += $1 },
                addTwice: offer("addTwice") { count, number in
                    count += number
                    present.model?.add(number * 10)
                    if number > 1 { present.model?.addTwice(number - 1) }
                },
                reset: count == 0 ? nil : offer("reset") { count, _ in count = 0 })
        }.eraseToSource()
        present.set(source)
        return source
    }

    @Test("an offered closure that calls another action of its source ends, and the other one follows it")
    func nested() {
        let (present, seen, calls, log) = (Present(), Seen<Int>(), Seen<String>(), ActionLog())
        let source = counter(present, log)
        let tokens = [source.subscribe { seen.add($0.count) }, log.onCall { calls.add("\($0)") }]
        source.value.addTwice(1)
        #expect(source.value.count == 11 && seen.values == [0, 1, 11])
        source.value.addTwice(2)
        #expect(source.value.count == 44 && seen.values == [0, 1, 11, 13, 33, 34, 44])
        #expect(
            calls.values.first == "Counter.addTwice(1)"
                || calls.values.first?.hasSuffix("addTwice(1)") == true)
        #expect(calls.values.count == 6)
        withExtendedLifetime(tokens) {}
    }

    @Test(
        "an offered closure that calls an action of another source, whose closure calls one of the first, ends"
    )
    func twoSources() {
        struct Ball: Sendable { var hits: Int, hit: Action<Int> }
        let (first, second) = (
            Threadsafe<Source<Ball>?>(wrappedValue: nil), Threadsafe<Source<Ball>?>(wrappedValue: nil)
        )
        func player(_ other: Threadsafe<Source<Ball>?>) -> Source<Ball> {
            BuiltSource(0) { hits, offer in
                Ball(
                    hits: hits,
                    hit: offer("hit") { hits, left in
                        hits += 1
                        if left > 0 { other.wrappedValue?.value.hit(left - 1) }
                    })
            }.eraseToSource()
        }
        (first.wrappedValue, second.wrappedValue) = (player(second), player(first))
        first.wrappedValue?.value.hit(5)
        #expect(first.wrappedValue?.value.hits == 3 && second.wrappedValue?.value.hits == 3)
        (first.wrappedValue, second.wrappedValue) = (nil, nil)
    }

    @Test("a subscriber that calls an action while it is notified sees its effect at once")
    func subscriber() {
        let present = Present()
        let source = counter(present)
        let seen = Seen<Int>()
        let token = source.subscribe { model in
            guard model.count == 1 else { return }
            model.add(1)
            seen.add(source.value.count)
        }
        source.value.add(1)
        #expect(seen.values == [2] && source.value.count == 2)
        withExtendedLifetime(token) {}
    }

    @Test("what a closure calls of another built source is called once, although the closure is called again")
    func again() async {
        let (present, runs) = (Present(), Threadsafe(wrappedValue: 0))
        let other = counter(Present())
        let source = BuiltSource(0) { count, offer in
            Counter(
                count: count, add: offer("add") { $0 += $1 },
                addTwice: offer("addTwice") { count, number in
                    count += number
                    other.value.add(number)
                    runs.wrappedValue += 1
                    guard runs.wrappedValue == 1, let add = present.model?.add else { return }
                    // Another thread is faster.
                    let isDone = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        add(100)
                        isDone.signal()
                    }
                    isDone.wait()
                })
        }.eraseToSource()
        present.set(source)
        await onThread { source.value.addTwice(1) }
        #expect(runs.wrappedValue == 2 && source.value.count == 101 && other.value.count == 1)
    }

    @Test("an action that follows another one, and is not offered any more by then, is a problem of the log")
    func expired() {
        let (present, problems, log) = (Present(), Seen<String>(), ActionLog())
        let seen = Seen<Int>()
        let token = log.onProblem { problems.add("\($0.action)(\($0.input)): \($0.problem!)") }
        let source = BuiltSource(0, log: log) { count, offer in
            Counter(
                count: count, add: offer("add") { $0 += $1 },
                addTwice: offer("addTwice") { count, number in
                    count += number
                    present.model?.reset?()
                    present.model?.add(10)
                },
                reset: count == 0 ? offer("reset") { count, _ in count = 0 } : nil)
        }.eraseToSource()
        present.set(source)
        let other = source.subscribe { seen.add($0.count) }
        source.value.addTwice(1)
        #expect(seen.values == [0, 1, 11])
        #expect(problems.values == ["reset(()): \(ActionProblem.expired)"])
        [token, other].forEach { $0.cancel() }
    }

    @Test("an action that is called by a task of a closure, when that is over, is executed at once")
    func task() async {
        let (present, (turn, go)) = (Present(), AsyncStream.makeStream(of: Void.self))
        let task = Threadsafe<Task<Int?, Never>?>(wrappedValue: nil)
        let source = BuiltSource(0) { count, offer in
            Counter(
                count: count, add: offer("add") { $0 += $1 },
                addTwice: offer("addTwice") { count, number in
                    count += number
                    task.wrappedValue = Task {
                        for await _ in turn {}
                        present.model?.add(10)
                        return present.model?.count
                    }
                })
        }.eraseToSource()
        present.set(source)
        source.value.addTwice(1)
        go.finish()
        #expect(await task.wrappedValue?.value == 11)
    }

    @Test("actions that call others from four threads lose nothing")
    func threads() async {
        let present = Present()
        let source = counter(present)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<500 { source.value.addTwice(1) } }
            }
        }
        #expect(source.value.count == 4 * 500 * 11)
    }
}
