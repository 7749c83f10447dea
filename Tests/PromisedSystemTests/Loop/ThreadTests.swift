import Dispatch
import Promise
import PromisedSystem
import Synchronization
import TestSupport
import Testing

@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(10)), .tags(.sharedState)) struct ThreadTests {
    struct Sent: Sendable {
        let sender: Int
        let number: Int
    }

    enum Where: CaseIterable { case serial, immediate, main }

    /// Records concurrent entries into the reducer, and events out of order.
    private final class Watch: Sendable {
        let isBusy = Atomic(false)
        let nested = Atomic(0)
        let disorder = Atomic(0)
        let last = Lock([Int](repeating: -1, count: 8))

        func reduce(_ count: Int, _ event: Sent) -> Promise<Int> {
            look(at: event)
            return .value(count + 1)
        }

        func look(at event: Sent) {
            if isBusy.exchange(true, ordering: .acquiringAndReleasing) {
                nested.wrappingAdd(1, ordering: .relaxed)
            }
            let isNext = last.withLock { last in
                defer { last[event.sender] = event.number }
                return last[event.sender] == event.number - 1
            }
            if !isNext { disorder.wrappingAdd(1, ordering: .relaxed) }
            isBusy.store(false, ordering: .releasing)
        }
    }

    @Test(
        "R11: 8 threads, many events each: none lost, in each sender's order, never two at once",
        arguments: Where.allCases)
    func eightThreads(place: Where) async {
        let each = rounds(1_000, stress: 10_000)
        let watch = Watch()
        let reducer: @Sendable (Int, Sent) -> Promise<Int> = { watch.reduce($0, $1) }
        let system: System<Int, Sent>
        let scheduler: any SerialScheduler
        switch place {
        case .serial:
            let queue = QueueScheduler.serial("eight")
            (system, scheduler) = (System(initialState: 0, scheduler: queue, reducer: reducer), queue)
        case .immediate:
            system = System(initialState: 0, scheduler: .immediate, reducer: reducer)
            scheduler = .immediate
        case .main:
            (system, scheduler) = (System(initialState: 0, scheduler: .main, reducer: reducer), .main)
        }
        let shown = Log<Int>()
        system.addLoopCallback { if $0 % 1000 == 0 { shown.add($0) } }
        await onThreads(8) { sender in
            for number in 0..<each { system.sendEvent(Sent(sender: sender, number: number)) }
        }
        await system.settled { $0 == 8 * each }
        await scheduler.caughtUp()  // Includes the last turn.
        #expect(watch.nested.load(ordering: .relaxed) == 0)
        #expect(watch.disorder.load(ordering: .relaxed) == 0)
        #expect(shown.entries == stride(from: 1000, through: 8 * each, by: 1000).map { $0 })
        #expect(watch.last.withLock { $0 } == [Int](repeating: each - 1, count: 8))
    }

    enum Kind: CaseIterable { case promise, inPlace, watched, filtered, echoing }

    /// A system that counts its events; an echoing one counts each twice.
    private func counting(_ watch: Watch, _ kind: Kind) -> System<Int, Sent> {
        let reducer = Reducer<Int, Sent> { watch.reduce($0, $1) }
        switch kind {
        case .promise, .watched:
            let system = System(initialState: 0, scheduler: .immediate, reducer: reducer)
            if kind == .watched { system.onLoop { _ in } }
            return system
        case .inPlace:
            return System(
                initialState: 0, scheduler: .immediate,
                reducer: Reducer {
                    watch.look(at: $1); $0 += 1
                })
        case .filtered:
            return System(
                initialState: 0, scheduler: .immediate, reducer: reducer,
                middleware: Middleware(before: { _, _ in .pass }))
        case .echoing:
            return System(
                initialState: 0, scheduler: .immediate, reducer: reducer,
                feedbacks: [
                    .onEvent({ $0.sender < 2 ? $0 : nil }) { sent in
                        Effect.just(Sent(sender: sent.sender + 2, number: sent.number))
                    }
                ])
        }
    }

    @Test(
        "R11: two threads that repeatedly find the loop idle leave no event behind",
        arguments: Kind.allCases)
    func twoAtRest(kind: Kind) {
        for _ in 0..<rounds(25, stress: 250) {
            let watch = Watch()
            let system = counting(watch, kind)
            DispatchQueue.concurrentPerform(iterations: 2) { sender in
                for number in 0..<40 { system.sendEvent(Sent(sender: sender, number: number)) }
            }
            #expect(system.state == (kind == .echoing ? 160 : 80))
            #expect(watch.nested.load(ordering: .relaxed) == 0)
            #expect(watch.disorder.load(ordering: .relaxed) == 0)
        }
    }

    @Test("R11: other threads settle transitions while others send", arguments: [2, 4])
    func settledElsewhere(threads: Int) async {
        let each = rounds(250, stress: 1500)
        let queue = DispatchQueue(label: "elsewhere")
        let system = System<Int, Int>(initialState: 0, scheduler: .serial("settled")) { state, event in
            guard event > 0 else { return .value(state + 1) }
            return Promise { resolver in
                queue.async {
                    resolver.report(-1)
                    resolver.fulfill(state + 1)
                    resolver.report(-2)
                }
            }
        }
        let wrong = Log<Int>()
        system.onLoop {
            if $0.after != $0.before + 1 || $0.shown.last?.state != $0.after { wrong.add($0.number) }
        }
        await onThreads(threads) { _ in for number in 0..<each { system.sendEvent(number % 2) } }
        await system.settled { $0 == threads * each }
        #expect(wrong.entries.isEmpty)
    }

    @Test("Replacing from several threads: the last event of all settles, and no other is stuck")
    func replacing() async {
        let each = rounds(250, stress: 1000)
        let queue = DispatchQueue(label: "replacing")
        let scheduler = QueueScheduler.serial("replace")
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler,
            configuration: .init(eventPolicy: { $0 == 0 ? .queue : .replace })
        ) { state, event in
            guard event > 0 else { return .value(-1) }
            return Promise { resolver in queue.async { resolver.fulfill(state + 1) } }.stateWhenLoading(event)
        }
        let records = Log<Int>()
        system.onLoop { records.add($0.number) }
        await onThreads(4) { _ in for number in 1...each { system.sendEvent(number) } }
        system.sendEvent(0)
        await system.settled { $0 == -1 }
        // The record of a turn is delivered after its state.
        await scheduler.caughtUp()
        #expect(records.entries.sorted() == Array(1...(4 * each + 1)))
        #expect(!system.shown.value.isLoading)
    }

    @Test("R18: released by one thread while others send, settle and subscribe: nothing is shown afterwards")
    func releasedMeanwhile() async {
        for round in 0..<rounds(40, stress: 150) {
            let box = Box<System<Int, Int>?>(nil)
            let isOver = Flag()
            let late = Log<Int>()
            box.value = System<Int, Int>(
                initialState: 0, scheduler: .immediate,
                uiBindings: [{ _ in if isOver.value { late.add(round) } }]
            ) { state, event in
                event % 3 == 0 ? .value(state + 1) : Promise { $0.fulfill(state + 1) }.stateWhenLoading(-1)
            }
            weak let system = box.value
            await onThreads(3) { thread in
                if thread == 0 {
                    for number in 0..<20 { box.value?.sendEvent(number) }
                    box.value = nil
                } else {
                    for number in 0..<40 {
                        guard let system else { return }
                        if thread == 1 {
                            system.sendEvent(number)
                        } else {
                            _ = system.settled.subscribe { _ in }
                        }
                    }
                }
            }
            isOver.value = true
            #expect(system == nil)
            #expect(late.entries.isEmpty)
        }
    }

    private final class Flag: Sendable {
        private let flag = Atomic(false)
        var value: Bool {
            get { flag.load(ordering: .acquiring) }
            set { flag.store(newValue, ordering: .releasing) }
        }
    }

    @Test("A stop on another thread while transitions begin leaves no work running")
    func stopAgainstStart() async {
        var running = 0
        for _ in 0..<rounds(50, stress: 200) {
            let keeper = Log<Resolver<Int>>()
            let counters = Counters()
            let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { _, _ in
                Promise { resolver in
                    counters.started.wrappingAdd(1, ordering: .relaxed)
                    resolver.onCancel { counters.cancelled.wrappingAdd(1, ordering: .relaxed) }
                    keeper.add(resolver)
                }
            }
            await onThreads(2) { thread in
                if thread == 0 { system.sendEvent(1) } else { system.stop() }
            }
            running +=
                counters.started.load(ordering: .relaxed) - counters.cancelled.load(ordering: .relaxed)
        }
        #expect(running == 0)
    }

    private final class Counters: Sendable {
        let started = Atomic(0)
        let cancelled = Atomic(0)
    }
}
