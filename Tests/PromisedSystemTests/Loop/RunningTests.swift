import Dispatch
import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// What a system lists as in flight or pending.
@Suite(.tags(.sharedState)) struct RunningTests {
    private let scheduler = TestScheduler()

    private func system(policy: EffectPolicy = .queue, timeLimit: Duration? = nil) -> System<[Int], Int> {
        let system = System<[Int], Int>(
            initialState: [], scheduler: scheduler,
            feedbacks: [
                .onEvent({ $0 < 10 ? $0 : nil }, key: { _ in "k" }, policy: policy) { number in
                    Effect<Int> { if number > 0 { $0.onCancel {} } else { $0.finish() } }
                }
            ],
            configuration: .init(timeLimit: { _ in timeLimit })
        ) { state, event in
            event < 100
                ? .value(state + [event]) : Promise.value(state + [event]).delay(.seconds(event / 100))
        }
        scheduler.advance()
        return system
    }

    /// The lines without the places.
    private func lines(_ running: [Running]) -> [String] {
        running.map { "\($0)".replacing(#/ at [^,]*/#, with: "") }
    }

    @Test("An idle system lists nothing, nor does one that has ended") func none() {
        let system = system()
        #expect(system.running.isEmpty)
        system.sendEvent(0)
        scheduler.advance()
        #expect(system.running.isEmpty)
        system.sendEvent(1)
        scheduler.advance()
        #expect(lines(system.running) == ["effect k, for 0.0 seconds"])
        system.stop()
        #expect(system.running.isEmpty)
    }

    @Test("A transition in flight, its time limit, and the events behind it, each with its place")
    func transition() {
        let system = system(timeLimit: .seconds(9))
        system.sendEvent(500)
        system.sendEvent(1)
        scheduler.advance(by: .seconds(2))
        #expect(
            lines(system.running) == [
                "transition 500, for 2.0 seconds", "time limit 500, for 2.0 seconds", "pending event 1",
            ])
        #expect(system.running.map(\.kind) == [.transition, .timeLimit, .pendingEvent])
        #expect(system.running.map(\.origin.line) == [#line - 8, #line - 8, #line - 7])
        #expect(system.running.map(\.duration) == [.seconds(2), .seconds(2), nil])
        scheduler.advance(by: .seconds(3))
        #expect(lines(system.running) == ["effect k, for 0.0 seconds"])
    }

    @Test(
        "An effect and one that is queued or delayed by its key, each since its request",
        arguments: [
            EffectPolicy.queue, .debounceThenReplace(.seconds(5)), .throttle(.seconds(9), edges: .both),
        ])
    func effects(policy: EffectPolicy) {
        let system = system(policy: policy)
        system.sendEvent(1)
        scheduler.advance(by: .seconds(5))
        system.sendEvent(2)
        scheduler.advance(by: .seconds(1))
        let isFirstDelayed = policy == .debounceThenReplace(.seconds(5))
        #expect(
            lines(system.running) == [
                "effect k, for \(isFirstDelayed ? "1.0" : "6.0") seconds",
                "pending effect k, for 1.0 seconds",
            ])
        #expect(system.running.map(\.key) == ["k", "k"])
        #expect(system.running.allSatisfy { $0.origin.file.hasSuffix("RunningTests.swift") })
    }

    @Test("Only the effect that has replaced another one is listed") func replaced() {
        let system = system(policy: .replace)
        system.sendEvent(1)
        scheduler.advance(by: .seconds(1))
        system.sendEvent(2)
        scheduler.advance(by: .seconds(2))
        #expect(lines(system.running) == ["effect k, for 2.0 seconds"])
    }

    @Test("A debounced event is listed with its key, and since when it waits") func delayed() {
        let system = system()
        system.sendEvent(50, policy: .debounce(.seconds(5), key: "d"))
        scheduler.advance(by: .seconds(2))
        #expect(lines(system.running) == ["delayed event 50 d, for 2.0 seconds"])
        scheduler.advance(by: .seconds(3))
        #expect(system.running.isEmpty)
    }

    @Test("Where the system is observed, it is known since when an event waits") func observed() {
        let system = system()
        system.onLoop { _ in }
        system.sendEvent(500)
        system.sendEvent(1)
        scheduler.advance(by: .seconds(2))
        #expect(system.running.map(\.duration) == [.seconds(2), .seconds(2)])
    }

    @Test("Pending events are listed in the order in which they will be processed") func order() {
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler,
            middleware: Middleware { event, context in
                if event == 1 { for next in [100, 2, 3] { context.sendEvent(next) } }
                return .pass
            },
            configuration: .init(eventPolicy: { $0 == 5 ? .replace : .queue })
        ) { state, event in
            event < 100 ? .value(state + event) : Promise.value(state).delay(.seconds(1))
        }
        for event in [1, 4] { system.sendEvent(event) }
        scheduler.advance()
        #expect(system.running.map(\.name) == ["100", "2", "3", "4"])
    }

    @Test("An effect that waits for one of another feedback is listed with its own place") func sharedKey() {
        let feedbacks: [Feedback<Int, Int>] = [1, 2].map { number in
            .onEvent(
                { $0 == number ? $0 : nil }, key: { _ in "k" }, policy: .queue,
                effects: { _ in Effect { $0.onCancel {} } }, line: UInt(number))
        }
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler, reducer: Reducer { _, _ in }, feedbacks: feedbacks)
        for event in [1, 2] { system.sendEvent(event) }
        scheduler.advance()
        #expect(system.running.map(\.kind) == [.effect, .pendingEffect])
        #expect(system.running.map(\.origin.line) == [1, 2])
    }

    @Test("Inside a callback the system lists what there is") func inside() {
        let system = system()
        let seen = Log<[String]>()
        system.sendEvent(1)
        scheduler.advance()
        system.addLoopCallback { [weak system] _ in seen.add(lines(system?.running ?? [])) }
        system.sendEvent(20)
        scheduler.advance()
        #expect(seen.entries == [["effect k, for 0.0 seconds"]])
    }

    @Test("While another thread processes an event, the list says only that, and does not wait") func busy() {
        let (isReducing, canEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let system = System<Int, Int>(initialState: 0, scheduler: .serial("running")) { state, event in
            isReducing.signal()
            canEnd.wait()
            return .value(state + event)
        }
        system.sendEvent(1)
        isReducing.wait()
        #expect(system.running.map(\.description) == ["busy"])
        canEnd.signal()
    }

    @Test("An event from elsewhere that waits for the scheduler makes the system busy")
    func waitingForScheduler() {
        let system = system()
        system.sendEvent(50)
        #expect(system.running.map(\.kind) == [.busy])
        scheduler.advance()
        #expect(system.running.isEmpty)
    }

    /// An event that calls a closure when it is printed.
    private struct Printed: Sendable, CustomStringConvertible {
        let onPrint: @Sendable () -> Void

        var description: String {
            onPrint()
            return "printed"
        }
    }

    @Test("An event that arrives while the list is made is processed on the scheduler") func arriving() async
    {
        let queue: some SerialScheduler = .serial("running")
        let system = System<[Bool], Printed>(initialState: [], scheduler: queue) { state, _ in
            .value(state + [queue.isCurrent])
        }
        let sending = Printed { [weak system] in system?.sendEvent(Printed {}) }
        system.sendEvent(sending, policy: .debounce(.seconds(1_000), key: "d"))
        await queue.caughtUp()
        #expect(system.running.map(\.name) == ["printed"])
        await system.settled { !$0.isEmpty }
        // The delayed event comes before it.
        #expect(!system.state.contains(false))
    }

    @Test("A system that is stopped while the list is made cancels its effects") func stopped() {
        let cancelled = Log<Bool>()
        let system = System<Int, Printed>(
            initialState: 0, scheduler: scheduler,
            feedbacks: [
                .latest(state: { $0 }) { _ in Effect<Printed> { $0.onCancel { cancelled.add(true) } } }
            ]
        ) { state, _ in .value(state) }
        let stopping = Printed { [weak system] in system?.stop() }
        system.sendEvent(stopping, policy: .debounce(.seconds(1_000), key: "d"))
        scheduler.advance()
        #expect(system.running.map(\.kind) == [.effect, .delayedEvent])
        #expect(cancelled.entries == [true])
        #expect(system.running.isEmpty && scheduler.pendingCount == 0)
    }

    // MARK: Calls

    @Test("A call that a transition waits for, from its start until it is answered or cancelled") func calls()
    {
        let find = Endpoint("find") { (name: String) in Promise.value(name.count).delay(.seconds(3)) }
        let system = System<Int, String>(initialState: 0, scheduler: scheduler) { _, name in
            name.isEmpty ? .value(0) : find(name)
        }
        let line = #line - 2
        system.sendEvent("tea")
        scheduler.advance(by: .seconds(2))
        #expect(
            lines(system.running) == [#"transition tea, for 2.0 seconds"#, "call find, for 2.0 seconds"])
        #expect(system.running.last?.origin.line == line)
        #expect(system.running.last?.name == "find")
        scheduler.advance(by: .seconds(1))
        #expect(system.running.isEmpty && system.state == 3)

        system.sendEvent("mug")
        scheduler.advance()
        system.sendEvent("", policy: .replace)
        scheduler.advance()
        #expect(system.running.isEmpty && system.state == 0)
    }

    @Test("A call of an async function is listed until it has thrown") func asyncCall() async throws {
        struct Offline: Error {}
        let isOnline = Promise<Void>.pending()
        let find = Endpoint("find") { (_: String) async throws -> Int in
            try await isOnline.promise.value
            throw Offline()
        }
        let scheduler: some SerialScheduler = .serial("async calls")
        let system = System<Int, Int>(initialState: 0, scheduler: scheduler) { state, _ in .value(state) }
        let call = find("tea").start(on: scheduler)
        await scheduler.caughtUp()
        #expect(system.running.map(\.name) == ["find"])
        isOnline.resolver.fulfill(())
        await #expect(throws: Offline.self) { try await call.value }
        #expect(system.running.isEmpty)
    }

    @Test("Calls on another scheduler are not listed, and those of one that is already answered")
    func otherCalls() {
        let other = TestScheduler()
        let find = Endpoint("find") { (name: String) in Promise.value(name.count).delay(.seconds(3)) }
        let constant = Endpoint("constant") { (name: String) in Promise.value(name.count) }
        let system = system()
        find("tea").start(on: other)
        constant("tea").start(on: scheduler)
        other.advance()
        scheduler.advance()
        #expect(system.running.isEmpty)
        find("mug").start(on: scheduler)
        scheduler.advance()
        #expect(system.running.map(\.kind) == [.call])
        scheduler.advance(by: .seconds(3))
        other.advance(by: .seconds(3))
        #expect(system.running.isEmpty)
    }

    // MARK: Reports

    @Test("The report of a long transition lists what else there is, at most 20 lines of it") func report() {
        let system = system(timeLimit: .seconds(99))
        system.sendEvent(1)
        scheduler.advance(by: .seconds(1))
        Reports.begin()
        let place = Origin(#fileID, #line + 1)
        system.sendEvent(9_000)
        for number in 20..<42 { system.sendEvent(number) }
        scheduler.advance(by: .seconds(30))
        let reports = Reports.of(place)
        #expect(reports.count == 1)
        #expect(
            reports.first?.notes.map { $0.replacing(#/ at [^,]*/#, with: "") }
                == ["effect k, for 31.0 seconds"] + (20..<39).map { "pending event \($0)" } + ["and 3 more"])
        let text = reports.first?.description.replacing(#/ at [^,\n]*/#, with: "") ?? ""
        #expect(
            text.hasPrefix(
                "The transition of 9000, sent, is still running after 30.0 seconds\n"
                    + "    effect k, for 31.0 seconds\n    pending event 20\n"))
    }
}
