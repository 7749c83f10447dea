import Promise
import PromisedRecording
import PromisedTesting
import TestSupport
import Testing

/// The intervals of turns and calls, as a profiler shows them.
@Suite struct SystemIntervalTests {
    private let lines = Lock<[String]>([])

    private func note(_ line: String) { lines.withLock { $0.append(line) } }

    private func observe<State, Event>(_ system: System<State, Event>) {
        system.onInterval { [lines] interval in
            lines.withLock { $0.append("+ \(interval)") }
            return { lines.withLock { $0.append("- \(interval)") } }
        }
    }

    @Test("a turn lasts as long as its transition; a call until its answer, its failure or its cancellation")
    func calls() {
        let scheduler = TestScheduler()
        let find = Endpoint<String, Int>("find") { name in
            name == "mug"
                ? Promise(error: CancellationError()) : .value(name.count).delay(.seconds(1)).interim(0)
        }
        let system = System<Int, String>(
            initialState: 0, scheduler: scheduler,
            configuration: .init(eventPolicy: { $0 == "stop" ? .replace : .queue })
        ) { state, name in name == "stop" ? .value(state) : find(name) }
        observe(system)
        let token = system.onError { _ in }
        for name in ["tea", "mug", "pot", "stop"] {
            system.sendEvent(name)
            scheduler.advance(by: .seconds(name == "pot" ? 0 : 2))
        }
        #expect(
            lines.withLock { $0 } == [
                "+ turn tea", "+ call find(\"tea\")", "- call find(\"tea\")", "- turn tea",
                "+ turn mug", "+ call find(\"mug\")", "- call find(\"mug\")", "- turn mug",
                "+ turn pot", "+ call find(\"pot\")", "- call find(\"pot\")", "+ turn stop", "- turn pot",
                "- turn stop",
            ])
        withExtendedLifetime(token) {}
    }

    @Test("a released system ends what was in flight; control characters are escaped")
    func release() {
        let scheduler = TestScheduler()
        var system: System<Int, String>? = System(initialState: 0, scheduler: scheduler) { _, _ in
            Promise.value(1).delay(.seconds(1))
        }
        system.map { observe($0) }
        system?.sendEvent("a\u{1B}[2J")
        scheduler.advance()
        system = nil
        scheduler.discard()
        #expect(lines.withLock { $0 } == ["+ turn a\\u{1b}[2J", "- turn a\\u{1b}[2J"])
    }
}
