import PromisedSystem
import PromisedTesting
import Testing

/// From asynchronous sequences to sources and back.
@Suite struct SequenceTests {
    private let scheduler = TestScheduler()
    private let log = Log<String>()
    private let updates: AsyncStream<Int>
    private let updating: AsyncStream<Int>.Continuation

    init() { (updates, updating) = AsyncStream.makeStream() }

    @Test("SA-60: a new reader receives the current value, and no other reader receives anything")
    func reader() async {
        let one = Numbers(1)
        let token = one.source.subscribe(replayCurrent: false) { [log] in log.add("\($0)") }
        var iterator = one.source.values.makeAsyncIterator()
        #expect(await iterator.next() == 1)
        #expect(log.entries == [])
        one.set(2)
        #expect(await iterator.next() == 2)
        #expect(log.entries == ["2"])
        withExtendedLifetime(token) {}
    }

    @Test("SA-60: elements become values, in order, on the given scheduler") func elements() async {
        let source = Source(initial: 0, updates: updates, on: scheduler)
        let token = source.subscribe { [log, scheduler] in log.add("\($0) \(scheduler.isCurrent)") }
        updating.yield(1)
        updating.yield(1)
        updating.yield(2)
        scheduler.advance()
        #expect(log.entries == ["0 false", "1 true", "1 true", "2 true"])
        #expect(source.value == 2)
        withExtendedLifetime(token) {}
    }

    @Test("SR-47: when the sequence ends, the last value stays and readers end") func end() async {
        let source = Source(initial: 0, updates: updates, on: scheduler)
        let doubled = source.map { $0 * 2 }
        let values = doubled.values
        updating.yield(1)
        updating.finish()
        scheduler.advance()
        #expect(await collect(values) == [0, 2])
        #expect(source.value == 1)
        #expect(await collect(doubled.values) == [2])
    }

    @Test(
        "SA-60: a subscriber receives the values that arrive during the delivery of the current one, and then the end"
    )
    func endWhileReplaying() {
        let source = Source(initial: 0, updates: updates, on: scheduler)
        let token = source.subscribe { [log, scheduler, updating] value in
            log.add("\(value)")
            guard value == 0 else { return }
            for number in 1...2 { updating.yield(number) }
            updating.finish()
            scheduler.advance()
        }
        scheduler.advance()
        #expect(log.entries == ["0", "1", "2"])
        withExtendedLifetime(token) {}
    }

    @Test("SA-60: the iteration begins when it is first needed, and is cancelled with the last handle")
    func life() async {
        let ended = Log<String>()
        updating.onTermination = { _ in ended.add("ended") }
        do {
            let source = Source(initial: 0, updates: updates, on: scheduler)
            updating.yield(1)
            scheduler.advance()
            #expect(source.value == 0)
            scheduler.advance()
            #expect(source.value == 1)
            #expect(ended.entries == [])
        }
        scheduler.advance()
        #expect(ended.entries == ["ended"])
    }

    @Test("SR-48: a reader that starts before a change receives both values") func stream() async {
        let bench = Bench()
        var iterator = bench.system.settled.map { "<\($0)>" }.values.makeAsyncIterator()
        bench.send(.add("a"))
        bench.advance()
        #expect(await iterator.next() == "<>")
        #expect(await iterator.next() == "<a>")
    }
}
