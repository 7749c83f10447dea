import PromisedSystem
import PromisedTesting
import Testing

/// Sources made from other sources.
@Suite struct OperatorTests {
    private let numbers = Numbers()
    private let log = Log<String>()

    @Test("SA-37: map runs its transform once for each value, whatever the number of subscribers")
    func mapOnce() {
        let count = SharedCount()
        let texts = numbers.source.map { number in
            count.add(1)
            return "<\(number)>"
        }
        let tokens = (1...3).map { index in texts.subscribe { [log] in log.add("\(index) \($0)") } }
        numbers.set(1, 2)
        #expect(count.value == 3)
        #expect(texts.value == "<2>")
        #expect(count.value == 3)
        #expect(
            log.entries == [
                "1 <0>", "2 <0>", "3 <0>", "1 <1>", "2 <1>", "3 <1>", "1 <2>", "2 <2>", "3 <2>",
            ])
        withExtendedLifetime(tokens) {}
    }

    @Test("SA-37: without subscribers, map runs its transform only when it is read")
    func mapUnused() {
        let count = SharedCount()
        let doubled = numbers.source.map { number in
            count.add(1)
            return number * 2
        }
        numbers.set(1, 2)
        #expect(count.value == 0)
        #expect(doubled.value == 4)
        #expect(count.value == 1)
        var token: SubscriptionToken? = doubled.subscribe(replayCurrent: false) { [log] in log.add("\($0)") }
        #expect(count.value == 2)
        numbers.set(3)
        #expect(log.take() == ["6"])
        withExtendedLifetime(token) {}
        token = nil
        numbers.set(4)
        #expect(count.value == 3)
        #expect(doubled.value == 8)
        // A second connection works like the first.
        let other = doubled.subscribe { [log] in log.add("\($0)") }
        numbers.set(5)
        #expect(log.entries == ["8", "10"])
        withExtendedLifetime(other) {}
    }

    @Test(
        "flatMap continues with a running inner source after one that has ended, also when the outer one ends"
    )
    func endedInnerSource() {
        let systems = [0, 10, 20].map { initialState in
            System<Int, Int>(initialState: initialState, scheduler: .immediate) { .value($0 + $1) }
        }
        let (outer, ended, running) = (systems[0], systems[1], systems[2])
        let seen = Log<Int>()
        let token = outer.settled.flatMap { [ended, running] in $0 == 0 ? ended.settled : running.settled }
            .subscribe { seen.add($0) }
        ended.stop()
        outer.sendEvent(1)
        outer.stop()
        running.sendEvent(5)
        #expect(seen.entries == [10, 20, 25])
        token.cancel()
    }

    @Test("SA-38: flatMap unsubscribes from the inner source that is replaced")
    func flatMap() {
        let inner = [Numbers(10), Numbers(20)]
        let sources = inner.map(\.source)
        let flat = numbers.source.flatMap { sources[$0] }
        #expect(flat.value == 10)
        let token = flat.subscribe { [log] in log.add("\($0)") }
        inner[0].set(11)
        numbers.set(1)
        inner[0].set(12)
        inner[1].set(21)
        #expect(log.entries == ["10", "11", "20", "21"])
        #expect(flat.value == 21)
        #expect(inner.map(\.subscribers) == [0, 1])
        token.cancel()
        #expect(inner.map(\.subscribers) == [0, 0])
        #expect(numbers.subscribers == 0)
    }

    @Test("SA-38: two changes inside a delivery replace the inner source in order")
    func flatMapInside() {
        let inner = [Numbers(0), Numbers(10), Numbers(20)]
        let sources = inner.map(\.source)
        let token = numbers.source.flatMap { sources[$0] }.subscribe { [log, numbers] value in
            log.add("begin \(value)")
            if value == 0 { numbers.set(1, 2) }
            log.add("end \(value)")
        }
        #expect(log.entries == ["begin 0", "end 0", "begin 10", "end 10", "begin 20", "end 20"])
        withExtendedLifetime(token) {}
    }

    @Test("SA-39: filter always passes the first value, and later ones if they match")
    func filter() {
        let odd = Numbers(1)
        let even = odd.source.filter { $0.isMultiple(of: 2) }
        let token = even.subscribe { [log] in log.add("\($0)") }
        odd.set(2, 3, 4)
        #expect(log.take() == ["1", "2", "4"])
        odd.set(5)
        #expect(even.value == 4)
        let late = even.subscribe { [log] in log.add("late \($0)") }
        #expect(log.entries == ["late 4"])
        withExtendedLifetime((token, late)) {}
    }

    @Test("SA-39: filter remembers the last matching value even without subscribers")
    func filterAlone() {
        let even = numbers.source.filter { $0.isMultiple(of: 2) }
        numbers.set(2, 3)
        #expect(even.value == 2)
    }

    @Test("SA-40: removeDuplicates compares with the last delivered value")
    func duplicates() {
        let ones = Numbers(1)
        let token = ones.source.removeDuplicates().subscribe { [log] in log.add("\($0)") }
        ones.set(1, 2, 2, 1)
        #expect(log.entries == ["1", "2", "1"])
        withExtendedLifetime(token) {}
    }

    @Test("SR-32: removeDuplicates(by:) delivers only values that the predicate does not call equal")
    func buffered() {
        struct State: Sendable { var shown: Int, hidden: Int }
        let system = System<State, Int>(initialState: State(shown: 0, hidden: 0), scheduler: .immediate) {
            .value(State(shown: $0.shown + $1 / 10, hidden: $0.hidden + $1 % 10))
        }
        let told = system.settled.removeDuplicates { $0.shown == $1.shown }
        let token = told.subscribe(replayCurrent: false) { [log] in log.add("\($0.shown)") }
        system.sendEvent(1)
        #expect(log.entries.isEmpty)
        system.sendEvent(10)
        system.sendEvent(2)
        #expect(log.entries == ["1"])
        withExtendedLifetime(token) {}
    }

    @Test("SA-41: combined emits one pair for each change, with the latest of both")
    func combined() {
        let letters = System<String, String>(initialState: "x", scheduler: .immediate) { .value($1) }
        let one = Numbers(1)
        let both = one.source.combined(with: letters.settled)
        #expect(both.value == (1, "x"))
        let token = both.subscribe { [log] in log.add("\($0)\($1)") }
        one.set(2)
        letters.sendEvent("y")
        #expect(log.entries == ["1x", "2x", "2y"])
        #expect(both.value == (2, "y"))
        withExtendedLifetime(token) {}
    }

    @Test("SA-42: a late subscriber to currentAndPrevious receives the same pair")
    func currentAndPrevious() {
        let one = Numbers(1)
        let pairs = one.source.currentAndPrevious()
        #expect(pairs.value == .init(current: 1, previous: nil))
        let early = pairs.subscribe { [log] in log.add("early \($0.current) \($0.previous ?? -1)") }
        one.set(2)
        let late = pairs.subscribe { [log] in log.add("late \($0.current) \($0.previous ?? -1)") }
        #expect(log.entries == ["early 1 -1", "early 2 1", "late 2 1"])
        withExtendedLifetime((early, late)) {}
    }

    @Test("SA-33, SA-42: currentAndPrevious has the previous value for its first subscriber, too")
    func currentAndPreviousAlone() {
        let one = Numbers(1)
        let pairs = one.source.currentAndPrevious()
        one.set(2)
        #expect(pairs.value == .init(current: 2, previous: 1))
        let late = pairs.subscribe { [log] in log.add("late \($0.current) \($0.previous ?? -1)") }
        #expect(log.entries == ["late 2 1"])
        withExtendedLifetime(late) {}
    }

    @Test("SA-43: printUpdates prints the first value as initial, the others as updated")
    func printing() {
        let printed = numbers.source.printUpdates(label: "n") { [log] in log.add($0) }
        let token = printed.subscribe { _ in }
        numbers.set(1)
        #expect(log.take() == ["n: initial 0", "n: updated 1"])
        #expect(printed.value == 1)
        let other = numbers.source.printUpdates(describe: { "<\($0)>" }, to: { [log] in log.add($0) })
        #expect(log.entries == ["Int: initial <1>"])
        withExtendedLifetime((token, other)) {}
    }

    @Test("SA-44: optional wraps every value")
    func optional() {
        let one = Numbers(1)
        let optional: Source<Int?> = one.source.optional()
        #expect(optional.value == .some(1))
        let token = optional.subscribe { [log] in log.add("\($0 as Int?, default: "nil")") }
        one.set(2)
        #expect(log.entries == ["1", "2"])
        withExtendedLifetime(token) {}
    }

    @Test("A subscription outlives the source that it was made through, and ends with its token")
    func lifetime() {
        let source = numbers.source.map { $0 + 1 }.filter { $0 > 0 }.map { $0 * 10 }
        var token: SubscriptionToken? = source.combined(with: numbers.source).subscribe { [log] in
            log.add("\($0.0) \($0.1)")
        }
        numbers.set(1)
        #expect(log.entries == ["10 0", "20 0", "20 1"])
        withExtendedLifetime(token) {}
        token = nil
        withExtendedLifetime(source) {}
    }

    @Test("An operator's captures are released with its last handle and subscription")
    func letsGo() {
        let ended = Log<String>()
        do {
            let witness = Witness { ended.add("gone") }
            let source = numbers.source.filter { _ in
                witness.touch()
                return true
            }
            let token = source.map { $0 }.flatMap { .constant($0) }.subscribe { _ in }
            token.cancel()
            #expect(ended.entries.isEmpty)
            withExtendedLifetime(source) {}
        }
        #expect(ended.entries == ["gone"])
        #expect(numbers.subscribers == 0)
    }

    @Test("Readers of operators end with the system")
    func ends() async {
        let bench = Bench()
        let source = bench.system.settled.map { $0.uppercased() }
        let values = source.values
        let pairs = source.combined(with: bench.system.settled).currentAndPrevious().values
        let flat = source.flatMap { .constant($0) }.values
        bench.send(.add("a"), .add("b"))
        bench.advance()
        bench.release()
        #expect(await collect(values) == ["", "A", "AB"])
        #expect(await collect(pairs).map(\.current.0) == ["", "A", "A", "AB", "AB"])
        #expect(await collect(flat) == ["", "A", "AB"])
        #expect(source.value == "AB")
        #expect(await collect(source.values) == ["AB"])
    }

    @Test("A reducer may use operators: their subscribers are notified after it")
    func inReducer() {
        let tokens = Box<[SubscriptionToken]>([])
        let system = System<Int, Int>(
            initialState: 0, scheduler: .immediate,
            reducer: Reducer { [log, numbers] (state: inout Int, event: Int) in
                state += event
                let source = numbers.source.filter { $0 > 0 }.map { $0 * 2 }
                tokens.value += [source.subscribe { log.add("told \($0)") }]
                log.add("reduced \(source.value)")
            })
        system.sendEvent(1)
        numbers.set(1)
        #expect(log.entries == ["reduced 0", "told 0", "told 2"])
        tokens.value = []
    }
}
