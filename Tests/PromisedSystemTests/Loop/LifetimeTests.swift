import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct LifetimeTests {
    /// What a system is doing when it is released.
    enum Moment: CaseIterable { case idle, pending, loading, queued, settling }

    @Test(
        "PK-33, R18: releasing a system at any moment cancels running work and shows nothing more",
        arguments: Moment.allCases)
    func release(moment: Moment) {
        Reports.begin()
        let bench = Bench(listensToErrors: false)
        let cancelled = Log<String>()
        let keeper = Keeper()
        let ended = Log<String>()
        weak let system = bench.system
        do {
            let witness = Witness { ended.add("closure") }
            bench.system.addLoopCallback { _ in witness.touch() }
        }
        switch moment {
        case .idle: break
        case .pending: bench.send(.hang("pending", keeper: keeper) { cancelled.add("cancelled") })
        case .loading:
            bench.send(.hang("loading", keeper: keeper, showing: "L") { cancelled.add("cancelled") })
        case .queued:
            bench.send(.hang("running", keeper: keeper) { cancelled.add("cancelled") })
            bench.send(.add("a"), .add("b"))
        case .settling:
            bench.send(.hang("settling", keeper: keeper) { cancelled.add("cancelled") })
        }
        bench.advance()
        if moment == .settling { keeper.resolvers.entries.first?.reject(TestError("settled-before-release")) }
        _ = (bench.bound.take(), bench.shown.take())
        bench.release()
        #expect(system == nil)
        #expect(ended.entries == ["closure"])
        let runs = moment != .idle && moment != .settling
        #expect(cancelled.entries == (runs ? ["cancelled"] : []))
        for resolver in keeper.resolvers.entries {
            #expect(resolver.isCancelled == runs)
            #expect(!resolver.fulfill("late"))
            resolver.report("late")
        }
        _ = keeper.resolvers.take()
        bench.advance(100)
        #expect(bench.bound.entries.isEmpty)
        #expect(bench.shown.entries.isEmpty)
        #expect(bench.records.entries.isEmpty)
        if moment == .settling { #expect(Reports.about("settled-before-release").count == 1) }
        #expect(bench.scheduler.pendingCount == 0)
    }

    @Test("PK-33: work never retains its system; releasing the system releases what the work captured")
    func workDoesNotKeep() {
        let bench = Bench()
        let ended = Log<String>()
        weak let system = bench.system
        let (promise, resolver) = Promise<String>.pending()
        do {
            let witness = Witness { ended.add("transition") }
            bench.send(
                Step("a") { state in
                    promise.map { value in
                        witness.touch()
                        return state + value
                    }
                })
        }
        bench.advance()
        bench.release()
        #expect(system == nil)
        #expect(ended.entries == ["transition"])
        #expect(!resolver.fulfill("late"))
        withExtendedLifetime(promise) {}
    }

    @Test("R18: a turn that has ended releases everything that it captured")
    func nothingLeftBehind() {
        let bench = Bench(listensToRecords: false)
        let ended = Log<String>()
        func step(_ name: String, _ reduce: @escaping @Sendable (String) -> Promise<String>) -> Step {
            let witness = Witness { ended.add(name) }
            return Step(name) { state in
                witness.touch()
                return reduce(state)
            }
        }
        bench.send(step("settles") { .value($0 + "a") })
        bench.advance()
        #expect(ended.take() == ["settles"])
        bench.send(step("later") { Promise.value($0 + "a").delay(.s(1)) })
        bench.advance(1)
        #expect(ended.take() == ["later"])
        bench.send(step("fails") { _ in Promise(error: TestError("x")) })
        bench.advance()
        #expect(ended.take() == ["fails"])
        bench.send(step("replaced") { Promise.value($0).delay(.s(1)) })
        bench.advance()
        bench.send(.add("b"), policy: .replace)
        bench.advance()
        #expect(ended.take() == ["replaced"])
    }

    @Test("R18: a system released during a notification notifies no further observers")
    func whileNotifying() {
        let log = Log<String>()
        let scheduler = TestScheduler()
        let keeper = Box<StepSystem?>(nil)
        weak var system: StepSystem?
        keeper.value = StepSystem(
            initialState: "", scheduler: scheduler,
            uiBindings: [
                { state in
                    log.add("1 \(state)")
                    if state == "a" { keeper.value = nil }
                }, { log.add("2 \($0)") },
            ], reducer: { state, step in step.reduce(state) })
        system = keeper.value
        let subscription = keeper.value?.shown.subscribe(replayCurrent: false) { log.add("3 \(mark($0))") }
        keeper.value?.addLoopCallback { log.add("4 \($0)") }
        keeper.value?.onLoop { log.add("5 \($0.number)") }
        scheduler.advance()
        _ = log.take()
        keeper.value?.sendEvent(.add("a"))
        keeper.value?.sendEvent(.add("b"))
        scheduler.advance()
        #expect(log.entries == ["1 a"])
        #expect(system == nil)
        subscription?.cancel()
    }

    @Test("stop inside a subscriber: the later subscribers are not notified")
    func stopInsideSubscriber() {
        let bench = Bench()
        let log = Log<String>()
        let first = bench.system.settled.subscribe(replayCurrent: false) { [weak system = bench.system] in
            log.add("1 \($0)")
            system?.stop()
        }
        let second = bench.system.settled.subscribe(replayCurrent: false) { log.add("2 \($0)") }
        bench.send(.add("a"), .add("b"))
        bench.advance()
        #expect(log.entries == ["1 a"])
        #expect(bench.records.entries.isEmpty)
        withExtendedLifetime((first, second)) {}
    }

    /// Where a system is stopped.
    enum Place: CaseIterable { case reducer, body, loadingBinding, binding, callback, onError, onLoop }

    @Test("stop from inside any callback ends it there", arguments: Place.allCases)
    func stopInside(place: Place) {
        let bench = Bench(listensToErrors: false, listensToRecords: false)
        let log = Log<String>()
        @Sendable func stop(_ here: Place, _ system: StepSystem?) {
            guard place == here else { return }
            log.add("stopped")
            system?.stop()
        }
        bench.system.addBinding { [weak system = bench.system] state in
            log.add("binding \(state)")
            if state == "L" { stop(.loadingBinding, system) }
            if state == "a" { stop(.binding, system) }
        }
        bench.system.addLoopCallback { [weak system = bench.system] state in
            log.add("callback \(state)")
            if state == "a" { stop(.callback, system) }
        }
        bench.system.onError { [weak system = bench.system] _ in
            log.add("error")
            stop(.onError, system)
        }
        bench.system.onLoop { [weak system = bench.system] in
            log.add("record \($0.number)")
            stop(.onLoop, system)
        }
        bench.advance()
        _ = log.take()
        bench.send(
            .fail("f"),
            Step("a") { [weak system = bench.system] state in
                stop(.reducer, system)
                return Promise {
                    stop(.body, system)
                    $0.fulfill("a")
                }
                .stateWhenLoading("L")
            }, .add("b"))
        bench.advance(100)
        let all = [
            "error", "record 1", "binding L", "callback L", "binding a", "callback a", "record 2",
            "binding ab",
        ]
        let before: Int =
            switch place {
            case .onError: 1
            case .onLoop: 2
            case .reducer: 2
            case .loadingBinding: 3
            case .body: 4
            case .binding: 5
            case .callback: 6
            }
        #expect(log.entries == Array(all.prefix(before)) + ["stopped"])
        bench.system.sendEvent(.add("c"))
        bench.advance()
        #expect(log.count == before + 1)
        #expect(bench.scheduler.pendingCount == 0)
    }

    @Test("stop: the state stays readable; events and new observers are ignored")
    func afterStop() {
        let bench = Bench()
        bench.send(.add("a"))
        bench.advance()
        bench.system.stop()
        bench.system.stop()
        let log = Log<String>()
        bench.system.addBinding { log.add($0) }
        bench.system.addLoopCallback(replayCurrent: true) { log.add($0) }
        bench.send(.add("b"))
        bench.advance()
        #expect(bench.system.state == "a")
        #expect(log.entries.isEmpty)
        #expect(bench.bound.entries == ["a"])
    }
}
