import Promise
import PromisedTesting
import Testing

@testable import PromisedSystem

/// An event that cancels the running transition, and is withdrawn itself before it is processed.
@Suite struct WithdrawnReplacementTests {
    private func system(_ scheduler: TestScheduler, _ held: Log<EffectHandle<String>>, _ policy: EffectPolicy)
        -> System<[String], String>
    {
        System<[String], String>(
            initialState: [], scheduler: scheduler,
            reducer: Reducer { state, event in
                event == "slow"
                    ? Promise.value(state + ["slow"]).delay(.seconds(100)).interim(["L"])
                    : .value(state + [event])
            },
            feedbacks: [
                .onEvent(
                    { (event: String) -> Bool? in event == "start" ? true : nil }, key: { _ in "a" },
                    policy: policy
                ) { _ in
                    Effect<String> { held.add($0) }
                }
            ],
            configuration: .init(eventPolicy: { $0 == "r" ? .replace : .queue }))
    }

    @Test(
        "PK-24: a transition is cancelled even if its replacement is withdrawn, and leaves no loading state")
    func inside() {
        let scheduler = TestScheduler()
        let held = Log<EffectHandle<String>>()
        let system = system(scheduler, held, .concurrent)
        system.sendEvent("start")
        scheduler.advance()
        let shown = Log<String>()
        let records = Log<String>()
        system.onLoop { records.add("\($0.event) \(describe($0.outcome))") }
        let token = system.shown.subscribe(replayCurrent: false) { shown.add("\($0)") }
        system.addLoopCallback { [weak loop = system.loop] state in
            guard state == ["L"], let loop, let effect = held.entries.first else { return }
            effect.send("r")
            loop.receive(.perform { [weak loop] in loop.map(cancelWork) })
        }
        system.sendEvent("slow")
        scheduler.advance()
        #expect(shown.entries == ["loading([\"L\"])", "settled([\"start\"])"])
        #expect(records.entries == ["r dropped(withdrawn)", "slow cancelled"])
        token.cancel()
    }

    @Test("PK-24: the same if a timer replaces the work that sent the replacement") func byTimer() {
        let scheduler = TestScheduler()
        let held = Log<EffectHandle<String>>()
        let system = system(scheduler, held, .debounceThenReplace(.seconds(1)))
        scheduler.schedule(after: .seconds(2)) { holding { held.entries.first?.send("r") } }
        system.sendEvent("start")
        scheduler.advance(by: .seconds(1))
        #expect(held.count == 1)
        let records = Log<String>()
        system.onLoop { records.add("\($0.event) \(describe($0.outcome))") }
        system.sendEvent("start")
        system.sendEvent("slow")
        scheduler.advance()
        scheduler.advance(by: .seconds(1))
        #expect(!system.shown.value.isLoading)
        #expect(records.entries.last == "slow cancelled")
    }

    @Test("an event that waits and is withdrawn does not count as busy for dropWhileBusy")
    func dropWhileBusy() {
        let (scheduler, held) = (TestScheduler(), Log<EffectHandle<String>>())
        let system = System<[String], String>(
            initialState: [], scheduler: scheduler, reducer: Reducer { $0.append($1) },
            feedbacks: [
                .onEvent({ $0 == "start" || $0 == "stop" ? $0 : nil }, key: { _ in "a" }, policy: .replace) {
                    _ in
                    Effect<String> { held.add($0) }
                }
            ],
            configuration: .init(eventPolicy: { $0.hasPrefix("drop") ? .dropWhileBusy : .queue }))
        system.addBinding { [weak system] state in
            if state.last == "stop" { system?.sendEvent("drop 2") }
        }
        system.sendEvent("start")
        scheduler.advance()
        held.entries.first?.send("drop 1")
        system.sendEvent("stop", policy: .replace)
        scheduler.advance()
        #expect(system.state == ["start", "stop", "drop 2"])
    }
}

/// What a new effect does when it starts and cancels "a".
private func cancelWork(_ loop: Loop<[String], String>) {
    guard let effects = loop.effects else { return }
    var steps = EffectRegistry.Steps()
    let later = EffectRun(EffectName(feedback: 0, key: "later"), number: .max, requestNumber: .max)
    effects.toCancel.append(("a", later))
    effects.performCancellations(&steps)
    effects.perform(&steps, loop)
}
