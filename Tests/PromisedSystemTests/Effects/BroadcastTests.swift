import PromisedSystem
import PromisedTesting
import Testing

/// Values that are delivered into running work.
@Suite struct BroadcastTests {
    private enum Event: Sendable, Equatable {
        case open(String), close(String), say(String, to: String), count(Int, to: String), heard(String)
    }

    private let scheduler = TestScheduler()

    /// Work under a key that hears texts and numbers, and work that only hears until a part of it is over.
    private func system() -> System<[String], Event> {
        System(
            initialState: [], scheduler: scheduler,
            reducer: Reducer { heard, event in if case .heard(let text) = event { heard.append(text) } },
            feedbacks: [
                .onEvent(
                    { if case .open(let key) = $0 { key } else { nil } },
                    key: { EffectKey($0.prefix(1).description) }
                ) { name in
                    Effect<Event> { effect in
                        effect.onBroadcast(of: String.self) { effect.send(.heard("\(name) \($0)")) }
                        effect.onBroadcast { (number: Int) in
                            if number == 0 {
                                effect.finish()
                            } else {
                                effect.send(.heard("\(name) #\(number)"))
                            }
                        }
                    }
                },
                .onEvent({ if case .close(let key) = $0 { key } else { nil } }) {
                    Effect<Event>.cancel(EffectKey($0))
                },
                .onEvent({ if case .say(let text, let key) = $0 { [text, key] } else { nil } }) { texts in
                    Effect<Event>.broadcast(texts[0], to: EffectKey(texts[1]))
                },
                .onEvent({ if case .count(let number, let key) = $0 { (number, key) } else { nil } }) {
                    number, key in
                    Effect<Event>.broadcast(number, to: EffectKey(key))
                },
            ])
    }

    private func heard(_ events: Event...) -> [String] {
        let system = system()
        for event in events {
            system.sendEvent(event)
            scheduler.advance()
        }
        return system.state
    }

    @Test(
        "SR-41: a broadcast is delivered to all running work of its key, in the order of its start, by type")
    func delivered() {
        #expect(
            heard(
                .open("a1"), .open("b1"), .open("a2"), .say("hello", to: "a"), .count(7, to: "b"),
                .say("nobody", to: "c"))
                == ["a1 hello", "a2 hello", "b1 #7"])
    }

    @Test(
        "SR-41: work that is over, or was cancelled, hears nothing, nor does work that is asked for afterwards"
    )
    func notAfterTheEnd() {
        #expect(
            heard(
                .open("a1"), .open("b1"), .count(0, to: "a"), .close("b"), .say("late", to: "a"),
                .say("late", to: "b"), .open("a2"), .say("now", to: "a")) == ["a2 now"])
    }

    @Test("SR-41: what listens is let go of when the work is over", arguments: [true, false]) func released(
        ends: Bool
    ) {
        let gone = Log<String>()
        let system = System<Int, Event>(
            initialState: 0, scheduler: scheduler, reducer: .identity,
            feedbacks: [
                .onEvent({ if case .open(let key) = $0 { key } else { nil } }, key: { EffectKey($0) }) {
                    name in
                    let witness = Witness { gone.add(name) }
                    return Effect<Event> { effect in
                        effect.onBroadcast { (_: String) in withExtendedLifetime((witness, effect)) {} }
                        if ends { effect.scheduler.schedule(after: .seconds(1)) { effect.finish() } }
                    }
                },
                .onEvent({ if case .close(let key) = $0 { key } else { nil } }) {
                    Effect<Event>.cancel(EffectKey($0))
                },
            ])
        system.sendEvent(.open("a"))
        scheduler.run()
        if !ends {
            #expect(gone.entries.isEmpty)
            system.sendEvent(.close("a"))
            scheduler.run()
        }
        #expect(gone.entries == ["a"])
    }

    /// Work that is opened under a key, and texts that are said to one.
    private func system(_ effect: Effect<Event>) -> System<Int, Event> {
        System(
            initialState: 0, scheduler: scheduler, reducer: .identity,
            feedbacks: [
                .onEvent({ if case .open(let key) = $0 { key } else { nil } }, key: { EffectKey($0) }) { _ in
                    effect
                },
                .onEvent({ if case .say(let text, let key) = $0 { (text, key) } else { nil } }) { text, key in
                    Effect<Event>.broadcast(text, to: EffectKey(key))
                },
            ])
    }

    @Test("SR-41: of what one event asks for, a broadcast is heard by the work that was asked for before it")
    func sameTurn() {
        let works = Log<String>()
        func listening(_ name: String) -> Feedback<Int, Event> {
            .onEvent({ if case .open(let key) = $0 { key } else { nil } }, key: { EffectKey($0) }) { _ in
                Effect<Event> { effect in
                    effect.onBroadcast { (text: String) in works.add("\(name) \(text)") }
                }
            }
        }
        let broadcasting = Feedback<Int, Event>.onEvent({
            if case .open(let key) = $0 { key } else { nil }
        }) { Effect<Event>.broadcast("hello", to: EffectKey($0)) }
        let system = System<Int, Event>(
            initialState: 0, scheduler: scheduler, reducer: .identity,
            feedbacks: [listening("before"), broadcasting, listening("after")])
        system.sendEvent(.open("a"))
        scheduler.advance()
        #expect(works.entries == ["before hello"])
    }

    @Test("SR-41: a part of some work that is over hears nothing, and the others go on") func partIsOver() {
        let works = Log<String>()
        let once = Effect<Event> { effect in
            effect.onBroadcast { (text: String) in
                works.add("once \(text)")
                effect.finish()
            }
        }
        let always = Effect<Event> { effect in
            effect.onBroadcast { (text: String) in works.add("always \(text)") }
        }
        let system = system(.merge(once, always))
        for event in [Event.open("a"), .say("1", to: "a"), .say("2", to: "a")] { system.sendEvent(event) }
        scheduler.advance()
        #expect(works.entries == ["once 1", "always 1", "always 2"])
    }

    @Test("SR-41: work that ends when it hears something calls no action that was added behind")
    func endsInTheMiddle() {
        let works = Log<String>()
        let system = system(
            Effect { effect in
                effect.onBroadcast { (text: String) in
                    works.add("first \(text)")
                    effect.finish()
                }
                effect.onBroadcast { (text: String) in works.add("second \(text)") }
            })
        for event in [Event.open("a"), .say("1", to: "a")] { system.sendEvent(event) }
        scheduler.advance()
        #expect(works.entries == ["first 1"])
    }
}
