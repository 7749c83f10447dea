import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// The requests, and the events, that count in the windows of a throttle.
@Suite struct ThrottleTests {
    static let edges: [ThrottleEdges] = [.leading, .trailing, .both]

    /// Which of the arrivals count, and when, found by going through the windows one after the other.
    private static func counted(_ arrivals: [Int], _ window: Int, _ edges: ThrottleEdges) -> [String] {
        var counted: [String] = []
        var (end, last): (Int?, Int?) = (nil, nil)
        func close(until now: Int) {
            while let closing = end, closing <= now {
                end = nil
                guard let number = last else { continue }
                counted.append("\(number) at \(closing)")
                last = nil
                if edges == .both { end = closing + window }
            }
        }
        for (number, arrival) in arrivals.enumerated() {
            close(until: arrival)
            if end == nil {
                end = arrival + window
                if edges == .trailing { last = number } else { counted.append("\(number) at \(arrival)") }
            } else if edges != .leading {
                last = number
            }
        }
        close(until: .max / 2)
        return counted
    }

    private static func arrivals(_ seed: UInt64) -> [Int] {
        var random = SeededGenerator(seed: seed)
        var now = 0
        return (0..<12).map { _ in
            // Multiples of the window, too.
            now += [0, 1, 2, 5, 10, 10, 20, 33].randomElement(using: &random) ?? 0
            return now
        }
    }

    private static func send(_ arrivals: [Int], on scheduler: TestScheduler, _ send: (Int) -> Void) {
        for (number, arrival) in arrivals.enumerated() {
            scheduler.advance(by: .seconds(arrival) - scheduler.now)
            send(number)
        }
        scheduler.advance(by: .seconds(100))
    }

    @Test(
        "SR-27: of the requests in a window the first, the last or both start", arguments: edges,
        0..<UInt64(rounds(30)))
    func requests(_ edges: ThrottleEdges, _ seed: UInt64) {
        let (scheduler, starts) = (TestScheduler(), Log<String>())
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler, reducer: .identity,
            feedbacks: [
                .onEvent({ $0 }, policy: .throttle(.seconds(10), edges: edges)) { number in
                    Effect<Int> { effect in
                        starts.add("\(number) at \(effect.scheduler.now.components.seconds)")
                    }
                }
            ])
        let arrivals = Self.arrivals(seed)
        Self.send(arrivals, on: scheduler) {
            system.sendEvent($0)
            scheduler.advance()
        }
        #expect(starts.entries == Self.counted(arrivals, 10, edges))
        #expect(scheduler.pendingCount == 0)
    }

    @Test(
        "SR-27: of the events in a window the first, the last or both are processed", arguments: edges,
        0..<UInt64(rounds(30)))
    func events(_ edges: ThrottleEdges, _ seed: UInt64) {
        let (scheduler, turns, dropped) = (TestScheduler(), Log<String>(), Log<String>())
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler,
            reducer: Reducer<Int, Int> { _, number in
                turns.add("\(number) at \(scheduler.now.components.seconds)")
            },
            configuration: .init(eventPolicy: { _ in .throttle(.seconds(10), edges: edges, key: "dial") }))
        system.onLoop { if case .dropped = $0.outcome { dropped.add(describe($0.outcome)) } }
        let arrivals = Self.arrivals(seed)
        Self.send(arrivals, on: scheduler) {
            system.sendEvent($0)
            scheduler.advance()
        }
        let counted = Self.counted(arrivals, 10, edges)
        #expect(turns.entries == counted)
        let droppedCount = arrivals.count - counted.count
        #expect(dropped.entries == Array(repeating: "dropped(throttled)", count: droppedCount))
        #expect(scheduler.pendingCount == 0)
    }

    @Test("a request that comes exactly when a window ends does not keep the last one from starting")
    func endlessStream() {
        let works = Log<String>()
        for edges in [ThrottleEdges.trailing, .both] {
            let bench = EffectBench(
                works: works,
                .onEvent(
                    { if case .set(let value) = $0 { value } else { nil } },
                    policy: .throttle(.seconds(1), edges: edges)
                ) { works.work("\($0)", notesAfter: [0]) })
            // Sent before the timer of the same instant has fired.
            for number in 1...5 {
                bench.system.sendEvent(.set(number))
                bench.scheduler.schedule(after: .seconds(1)) { bench.system.sendEvent(.set(number * 10)) }
                bench.advance(1)
            }
            bench.advance(5)
            #expect(works.take().count > 4, "\(edges)")
        }
    }

    @Test("the last request replaces the work of the first, and cancelling the key discards it")
    func replacesAndIsCancelled() {
        let works = Log<String>()
        let bench = EffectBench(
            works: works,
            .onEvent(
                { if case .set(let value) = $0 { value } else { nil } }, key: { _ in "dial" },
                policy: .throttle(.seconds(2), edges: .both)
            ) { works.work("\($0)", notesAfter: [9]) },
            .onEvent({ $0 == .flag(true) ? true : nil }) { _ in Effect<Signal>.cancel("dial") })
        bench.send(.set(1), .set(2), .set(3))
        #expect(works.take() == ["+1"])
        bench.advance(2)
        #expect(works.take() == ["-1", "+3"])
        bench.send(.set(4), .flag(true))
        #expect(works.take() == ["-3"])
        bench.advance(9)
        #expect(works.take() == [])
        #expect(bench.notes == [])
        #expect(bench.scheduler.pendingCount == 0)
    }

    @Test("flush starts what waits under a key, and nothing else", arguments: [true, false])
    func flushed(isThrottled: Bool) {
        let works = Log<String>()
        let policy: EffectPolicy =
            isThrottled ? .throttle(.seconds(5), edges: .trailing) : .debounce(.seconds(5))
        let bench = EffectBench(
            works: works,
            .onEvent(
                { if case .set(let value?) = $0 { value } else { nil } },
                key: { $0 < 10 ? "low" : "high" }, policy: policy
            ) { works.work("\($0)", notesAfter: [1]) },
            .onEvent({ $0 == .flag(true) ? true : nil }) { _ in Effect<Signal>.flush("low") })
        bench.send(.set(1), .set(2), .set(20), .flag(true))
        #expect(works.take() == ["+2"])
        // A second flush finds nothing.
        bench.send(.flag(true))
        bench.advance(5)
        #expect(works.take() == ["+20"])
        bench.advance(1)
        #expect(bench.notes == ["2", "20"])
        #expect(bench.scheduler.pendingCount == 0)
    }

    @Test("flush does not start what the same event requests after it")
    func flushedBefore() {
        let works = Log<String>()
        let bench = EffectBench(
            works: works,
            .onEvent({ if case .set(_?) = $0 { true } else { nil } }) { _ in Effect<Signal>.flush("key") },
            .onEvent(
                { if case .set(let value?) = $0 { value } else { nil } }, key: { _ in "key" },
                policy: .debounceThenReplace(.seconds(5))
            ) { works.work("\($0)") })
        bench.send(.set(1))
        #expect(works.take() == [])
        bench.send(.set(2))
        bench.advance(5)
        #expect(works.take() == ["+2"])
    }
}
