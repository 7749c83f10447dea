import Promise
import PromisedExploring
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// An event is not enqueued where it leads to the same if it is sent later. Here it does not.
@Suite struct PostponingTests {
    @Test("an event that an answer sends comes after those that were enqueued before")
    func sentByAnswer() {
        let found = expectSame(["load", "a"], depth: 4) { (world: World<String>) -> System<String, String> in
            System(
                initialState: "", scheduler: world.scheduler,
                feedbacks: [.onEvent({ $0 == "load" ? true : nil }) { _ in Effect.just("sent") }]
            ) { state, event in
                let next = String((state + event.prefix(1)).suffix(3))
                return event == "load" ? world.call("load", .value(next, named: "it")) : .value(next)
            }
        }
        #expect(found.states.contains("las"))
    }

    @Test("work that goes on after a transition comes after the events that were enqueued before")
    func goesOn() {
        let found = expectSame(["load", "look"], depth: 3) {
            (world: World<String>) -> System<String, String> in
            let disk = world.variable(0)
            return System(initialState: "", scheduler: world.scheduler) { state, event in
                if event == "look" { return .value(state.prefix(6) + " \(disk.value)") }
                let load = world.call("load", .value("loaded"))
                _ = load.delay(.zero).done { _ in disk.value = 1 }
                return load
            }
        }
        #expect(Set(found.states).isSuperset(of: ["loaded 0", "loaded 1"]))
    }

    @Test("a throttled event is enqueued behind the others, and replacing one is processed before them")
    func policies() {
        for policy in [EventPolicy.throttle(.seconds(1), key: "x"), .replace, .dropWhileBusy] {
            let found = expectSame(["a", "x"], depth: 4) { (world: World<String>) -> System<String, String> in
                System(
                    initialState: "", scheduler: world.scheduler,
                    configuration: .init(eventPolicy: { $0 == "x" ? policy : .queue })
                ) { state, event in
                    let next = String((state + event).suffix(3))
                    return event == "a" ? world.call("a", .value(next, named: "it")) : .value(next)
                }
            }
            #expect(found.states.contains("ax"))
        }
    }

    @Test("a throttled event that is enqueued behind another one lets time pass before that one is processed")
    func throttledBehind() {
        let found = expectSame(["a", "x"], depth: 6) { (world: World<String>) -> System<String, String> in
            System(
                initialState: "", scheduler: world.scheduler,
                configuration: .init(eventPolicy: { $0 == "x" ? .throttle(.seconds(1), key: "x") : .queue })
            ) { state, event in
                if event == "x" { return .value(state + "x") }
                return world.call(
                    "a", .value(state + "a\(world.scheduler.now.components.seconds)", named: "it"))
            }
        }
        #expect(found.states.contains("a0a1x"))
    }

    @Test("an event is enqueued before a transition that leads beyond a bound")
    func bound() {
        let found = expectSame(["a", "b"], depth: 4) { (world: World<String>) -> System<String, String> in
            world.bound("not over") { $0 != "A" }
            return system(world) { _, event in event == "a" ? world.call("a", .value("A")) : nil }
        }
        #expect(found.states.contains("Ab"))
    }

    @Test("an event is enqueued before scheduled work that stops the system")
    func stoppedLater() {
        let found = expectSame(["a", "b"], depth: 4) { (world: World<String>) -> System<String, String> in
            let system = system(world)
            _ = system.addLoopCallback { [weak system] state in
                if state == "a" { world.scheduler.schedule { system?.stop() } }
            }
            return system
        }
        #expect(found.states.contains("ab"))
    }

    @Test("an event that reads another system is enqueued before that one changes")
    func otherSystem() {
        for answersLater in [false, true] {
            let found = expectSame(["a", "b"], depth: 4) { (world: World<String>) -> System<String, String> in
                let (gate, open) = Promise<Int>.pending()
                let other = System<Int, Int>(initialState: 0, scheduler: world.scheduler) { _, _ in gate }
                other.sendEvent(1)
                return system(world) { state, event in
                    if event == "b" { return .value(state.suffix(2) + "\(other.state)") }
                    let call = world.call("a", .value("A"))
                    if answersLater {
                        return call.tap { _ in _ = call.delay(.zero).done { _ in open.fulfill(7) } }
                    }
                    return Promise { resolver in
                        _ = call.done { value in
                            resolver.fulfill(value)
                            open.fulfill(7)
                        }
                    }
                }
            }
            #expect(Set(found.states).isSuperset(of: ["A0", "A7"]))
        }
    }

    @Test("an event is enqueued before a promise is settled that its reducer waits for")
    func otherPromise() {
        for isScheduled in [false, true] {
            let found = expectSame(["a", "b"], depth: 4) { (world: World<String>) -> System<String, String> in
                let (gate, open) = Promise<String>.pending()
                let system = system(world) { state, event in
                    if event == "b" { return Promise.race(gate, .value("none")).map { state.suffix(2) + $0 } }
                    if isScheduled { return nil }
                    // The second one to be notified, right after the transition.
                    let call = world.call("a", .value("a"))
                    world.scheduler.schedule { _ = call.done { _ in open.fulfill("open") } }
                    return call
                }
                _ = system.addLoopCallback { state in
                    if isScheduled, state.hasSuffix("a") {
                        world.scheduler.schedule { open.fulfill("open") }
                    }
                }
                return system
            }
            #expect(Set(found.states).isSuperset(of: ["aopen", "anone"]))
            #expect(!found.gaps.contains { if case .outside = $0 { true } else { false } }, "\(found.gaps)")
        }
    }

    @Test("an event is enqueued if asking for its policy changes a variable")
    func policyWrites() {
        let found = expectSame(["a", "b"], depth: 3) { (world: World<String>) -> System<String, String> in
            let last = world.variable("-")
            return system(
                world,
                configuration: .init(eventPolicy: { event in
                    last.value = event
                    return .queue
                })
            ) { _, event in event == "a" ? world.call("a", .result("ok") { "A" + last.value }) : nil }
        }
        #expect(Set(found.states).isSuperset(of: ["Aa", "Ab"]))
    }

    @Test("events are enqueued if one of them, once it is processed, sends what is dropped while others wait")
    func droppedWhileOthersWait() {
        let found = expectSame(["a", "b"], depth: 5) { (world: World<String>) -> System<String, String> in
            let system = system(
                world, configuration: .init(eventPolicy: { $0 == "d" ? .dropWhileBusy : .queue })
            ) { state, event in event == "b" || event == "c" ? nil : world.call(event, .value(state + event))
            }
            _ = system.onLoop { [weak system] record in
                if record.event == "b" { system?.sendEvent("d") }
            }
            return system
        }
        #expect(found.states.contains("abb"))
    }

    @Test("the same behind events that are processed at once", arguments: isStress ? [5, 6] : [5])
    func droppedLater(depth: Int) {
        let found = expectSame(["a", "b", "c"], depth: depth) {
            (world: World<String>) -> System<String, String> in
            let system = system(
                world, configuration: .init(eventPolicy: { $0 == "d" ? .dropWhileBusy : .queue })
            ) { state, event in
                switch event {
                case "a" where state.isEmpty: world.call("a", .value("A"))
                case "b" where state == "Ac": .value("Acb")
                case "c" where state == "A" || state == "Acb": .value(state + "c")
                case "d": world.call("d", .value("d"))
                default: .value(state)
                }
            }
            _ = system.onLoop { [weak system] record in
                if record.event == "b", record.before == "Ac" { system?.sendEvent("d") }
            }
            return system
        }
        // "c", "b" and "c" are enqueued: the last one waits while the second one sends, so that this is dropped.
        #expect(found.states.contains("Acbc"))
    }

    @Test("the same where the last of these events was explored first")
    func droppedBehindEarlierState() {
        let explorer = Explorer<String, String>(events: ["x", "a", "b", "c"]) { world in
            let system = system(
                world, configuration: .init(eventPolicy: { $0 == "d" ? .dropWhileBusy : .queue })
            ) { state, event in
                switch (state, event) {
                case ("", "a"): world.call("a", .value("A"))
                case ("", "x"), ("Ac", "b"): .value("Acb")
                case ("A", "c"), ("Acb", "b"), ("Acbb", "c"): .value(state + event)
                case (_, "d"): world.call("d", .value("d"))
                default: .value(state)
                }
            }
            _ = system.onLoop { [weak system] record in
                if record.event == "b", record.before == "Acb" { system?.sendEvent("d") }
            }
            return system
        }
        // "c", "b", "b" and "c" are enqueued: the last one waits while the third one sends, so that this is dropped.
        #expect(explorer.explore(depth: 7).states.contains("Acbbc"))
    }

    @Test("an event is enqueued before work begins that may depend on everything that happens")
    func followingWork() {
        let found = expectSame(["ask", "load", "look"], depth: 4) {
            (world: World<String>) -> System<String, String> in
            let (flight, noted) = (Lock<Promise<String>?>(nil), Lock<String?>(nil))
            return System(
                initialState: "", scheduler: world.scheduler,
                feedbacks: [
                    .onEvent({ $0 == "ask" ? true : nil }, policy: .drop) { _ in
                        let token = world.call("token", PromisedExploring.Outcome<String>.never)
                        _ = flight.exchange(for: token)
                        return token
                    },
                    .whenBecomesTrue(state: { $0 == "loaded" }) { _ in
                        guard let token = flight.withLock({ $0 }) else { return Promise.value("over") }
                        _ = noted.exchange(for: "0")
                        return token
                    },
                ]
            ) { state, event in
                if event == "look" { return .value("look" + (noted.withLock { $0 } ?? "")) }
                guard event == "load" else { return .value(state) }
                let load = world.call("load", .value("loaded"))
                // It is noted some steps of the chain later, after the transition.
                _ = load.map { $0 }.map { $0 }.map { $0 }.map { $0 }.map { $0 }.done { _ in
                    noted.withLock { if $0 != nil { $0 = "1" } }
                }
                return load
            }
        }
        #expect(Set(found.states) == ["", "loaded", "look", "look0", "look1"])
    }

    private func system(
        _ world: World<String>, configuration: System<String, String>.Configuration = .init(),
        _ transition: @escaping @Sendable (String, String) -> Promise<String>? = { _, _ in nil }
    ) -> System<String, String> {
        System(initialState: "", scheduler: world.scheduler, configuration: configuration) { state, event in
            if let promise = transition(state, event) { return promise }
            let next = String((state + event).suffix(4))
            return event == "a" ? world.call("a", .value(next)) : .value(next)
        }
    }
}
