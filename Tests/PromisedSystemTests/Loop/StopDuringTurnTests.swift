import Promise
import PromisedSystem
import TestSupport
import Testing

/// A system that is stopped in the middle of a turn calls no further closures.
@Suite struct StopDuringTurnTests {
    private final class Holder: Sendable {
        private let system = Lock<System<Int, Int>?>(nil)

        func hold(_ system: System<Int, Int>?) { self.system.withLock { $0 = system } }
        func stop() { system.withLock { $0 }?.stop() }
    }

    private func calls(
        _ middleware: (Holder, Log<String>) -> Middleware<Int, Int>,
        _ feedbacks: (Holder, Log<String>) -> [Feedback<Int, Int>]
    ) -> [String] {
        let (holder, log) = (Holder(), Log<String>())
        let system = System<Int, Int>(
            initialState: 0, scheduler: .immediate,
            reducer: Reducer { state, event in
                state = event
                log.add("reducer")
            }, feedbacks: feedbacks(holder, log), middleware: middleware(holder, log))
        holder.hold(system)
        system.sendEvent(1)
        holder.hold(nil)
        return log.entries
    }

    @Test("R18: stopped by middleware, neither the next layer nor the reducer is called") func before() {
        #expect(
            calls(
                { holder, log in
                    Middleware(
                        before: { _, _ in
                            holder.stop()
                            return .pass
                        }, after: { _, _ in log.add("first after") })
                        <> Middleware(before: { _, _ in
                            log.add("second")
                            return .pass
                        })
                }, { _, _ in [] }) == [])
    }

    @Test("R18: stopped by middleware after the turn, no outer layer is called") func after() {
        #expect(
            calls(
                { holder, log in
                    Middleware(after: { _, _ in log.add("outer") })
                        <> Middleware(after: { _, _ in holder.stop() })
                }, { _, _ in [] }) == ["reducer"])
    }

    @Test("R18: stopped by a subscriber that receives the present state, nothing follows") func replay() {
        let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
        let seen = Log<Int>()
        let token = system.settled.subscribe { state in
            seen.add(state)
            guard state == 0 else { return }
            // Kept back until the subscriber has received the present state.
            system.sendEvent(1)
            system.stop()
        }
        #expect(seen.entries == [0])
        token.cancel()
    }

    @Test("R18: stopped by an effect, no other feedback is called") func feedback() {
        #expect(
            calls(
                { _, _ in .identity },
                { holder, log in
                    [
                        .onEvent({ $0 }) { _ in Effect<Int> { _ in holder.stop() } },
                        .imperative { _ in { _, event in log.add("reaction \(event)") } },
                    ]
                }) == ["reducer"])
    }
}
