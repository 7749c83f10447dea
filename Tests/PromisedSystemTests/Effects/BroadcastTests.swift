import PromisedSystem
import PromisedTesting
import Testing

/// Values that are delivered to running work.
@Suite struct BroadcastTests {
    private enum Event: Sendable, Equatable {
        case open(String), close(String), say(String, to: String), count(Int, to: String), heard(String)
    }

    private let scheduler = TestScheduler()

    /// Work under a key that receives texts and numbers, and ends at a number of zero.
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
        "SR-41: work that has ended, was cancelled, or starts later does not receive a broadcast"
    )
    func notAfterTheEnd() {
        #expect(
            heard(
                .open("a1"), .open("b1"), .count(0, to: "a"), .close("b"), .say("late", to: "a"),
                .say("late", to: "b"), .open("a2"), .say("now", to: "a")) == ["a2 now"])
    }

    @Test("SR-41: the broadcast handler of work is released when the work ends", arguments: [true, false])
    func released(
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

    /// Starts work under a key, and broadcasts texts to a key.
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

    @Test("SR-41: a broadcast reaches only the work that was requested before it by the same event")
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

    @Test("SR-41: a broadcast reaches work that was queued when it was requested, and has started since")
    func startedMeanwhile() {
        let works = Log<String>()
        let first = Log<EffectHandle<Event>>()
        let system = System<Int, Event>(
            initialState: 0, scheduler: scheduler, reducer: .identity,
            feedbacks: [
                .onEvent(
                    { if case .open(let name) = $0 { name } else { nil } }, key: { _ in "key" },
                    policy: .queue
                ) {
                    name in
                    Effect<Event> { effect in
                        first.add(effect)
                        effect.onBroadcast { (text: String) in works.add("\(name) \(text)") }
                    }
                },
                .onEvent({ $0 == .close("first") ? true : nil }) { _ in
                    Effect<Event>.fireAndForget { first.entries[0].finish() }
                },
                .onEvent({ $0 == .close("first") ? true : nil }) { _ in
                    Effect<Event>.broadcast("hello", to: "key")
                },
            ])
        for event in [.open("1"), .open("2"), .close("first")] as [Event] { system.sendEvent(event) }
        scheduler.advance()
        #expect(works.entries == ["2 hello"])
    }

    @Test("SR-41: a merged effect that has ended receives no broadcast, the others still do")
    func partIsOver() {
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

    @Test("SR-41: work that ends in a broadcast handler does not call the handlers added after it")
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
