import PromisedSystem
import Testing

/// The value of an operator's source does not depend on its other subscribers.
@Suite struct OperatorReadTests {
    private let numbers = Numbers(1)
    private let log = Log<String>()

    private typealias Make = @Sendable (Source<Int>) -> Source<Int>

    private static let operators: [(name: String, make: Make)] = [
        ("map", { $0.map { $0 * 10 } }),
        ("map of map", { $0.map { $0 * 5 }.map { $0 * 2 } }),
        ("combined", { $0.combined(with: $0.map { $0 * 9 }).map { $0.0 + $0.1 } }),
        (
            "combined with what changes",
            { source in Source.constant(0).combined(with: source).map { $0.0 + $0.1 * 10 } }
        ),
        ("flatMap", { source in source.flatMap { number in source.map { _ in number * 10 } } }),
        ("flatMap to what changes", { source in Source.constant(0).flatMap { _ in source.map { $0 * 10 } } }),
        ("removeDuplicates", { $0.map { $0 * 10 }.removeDuplicates() }),
    ]

    @Test(
        "SA-37: inside a delivery an operator reads the current value, whatever the other subscribers",
        arguments: ["nobody", "before", "after", "before and after"])
    func insideADelivery(others: String) {
        for (name, make) in Self.operators {
            let (numbers, log) = (Numbers(1), Log<String>())
            let source = make(numbers.source)
            var tokens: [SubscriptionToken] = []
            if others.contains("before") { tokens.append(source.subscribe { _ in }) }
            tokens.append(
                numbers.source.subscribe(replayCurrent: false) { log.add("\($0): \(source.value)") })
            if others.contains("after") { tokens.append(source.subscribe { _ in }) }
            numbers.set(2, 3)
            #expect(log.entries == ["2: 20", "3: 30"], "\(name)")
            #expect(source.value == 30, "\(name)")
            for token in tokens { token.cancel() }
        }
    }

    @Test(
        "SA-37: inside a delivery of a system an operator reads the current value, with a history and without",
        arguments: [HistoryLimit.none, .last(3), .unlimited])
    func insideADeliveryOfASystem(history: HistoryLimit) {
        for (name, make) in Self.operators {
            let log = Log<String>()
            let system = System<Int, Int>(
                initialState: 1, scheduler: .immediate, configuration: .init(history: history)
            ) {
                _, number in
                Promise.value(number).stateWhenLoading(0)
            }
            let source = make(system.settled)
            system.addBinding { log.add("binding \($0): \(source.value)") }
            let token = source.subscribe { _ in }
            system.addLoopCallback { log.add("callback \($0): \(source.value)") }
            system.sendEvent(2)
            #expect(
                log.entries == [
                    "binding 1: 10", "binding 0: 10", "callback 0: 10", "binding 2: 20", "callback 2: 20",
                ], "\(name)")
            token.cancel()
        }
    }

    @Test(
        "SA-37: inside a delivery of a system an operator reads the current value, whatever the reducer",
        arguments: [HistoryLimit.none, .last(2)], [true, false])
    func whateverTheReducer(history: HistoryLimit, isInPlace: Bool) {
        let system = System<Int, Int>(
            initialState: 1, scheduler: .immediate,
            reducer: isInPlace ? Reducer { $0 = $1 } : Reducer { _, next in .value(next) },
            configuration: .init(history: history))
        let tens = system.settled.map { $0 * 10 }
        let token = system.settled.subscribe(replayCurrent: false) { [log] in log.add("\($0): \(tens.value)")
        }
        let later = tens.subscribe { _ in }
        system.sendEvent(2)
        system.sendEvent(3)
        #expect(log.entries == ["2: 20", "3: 30"])
        token.cancel()
        later.cancel()
    }

    @Test("SA-37: inside a delivery of a state that was changed in place an operator reads the current value")
    func largeState() {
        let system = System<[Int], Int>(
            initialState: [1], scheduler: .immediate, reducer: Reducer { $0.append($1) })
        let sums = system.settled.map { $0.reduce(0, +) }
        let token = system.settled.subscribe(replayCurrent: false) { [log] in log.add("\($0): \(sums.value)")
        }
        let later = sums.subscribe { _ in }
        system.sendEvent(2)
        system.sendEvent(3)
        #expect(log.entries == ["[1, 2]: 3", "[1, 2, 3]: 6"])
        token.cancel()
        later.cancel()
    }

    @Test("SA-37: with a subscriber, reading outside of a delivery calls no transform")
    func readsOutside() {
        let count = SharedCount()
        let source = numbers.source.map { number in
            count.add(1)
            return number * 10
        }
        let token = source.subscribe { _ in }
        numbers.set(2)
        #expect((source.value, source.value, count.value) == (20, 20, 2))
        token.cancel()
    }

    @Test("SA-37: a value that an operator's own subscriber sets can be read from it at once")
    func setsInside() {
        let source = numbers.source.map { $0 * 10 }
        let other = numbers.source.subscribe(replayCurrent: false) { [log] in
            log.add("\($0): \(source.value)")
        }
        let token = source.subscribe(replayCurrent: false) { [log, numbers] in
            if $0 == 20 { numbers.set(3) }
            log.add("own \($0): \(source.value)")
        }
        numbers.set(2)
        #expect(log.entries == ["2: 20", "own 20: 20", "3: 30", "own 30: 30"])
        other.cancel()
        token.cancel()
    }
}
