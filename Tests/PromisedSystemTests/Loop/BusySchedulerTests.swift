import Dispatch
import Promise
import PromisedSystem
import Synchronization
import TestSupport
import Testing

/// A system whose queue is blocked while other threads settle its promises.
@Suite(.tags(.sharedState)) struct BusySchedulerTests {
    /// A serial queue that can be blocked, and a log of what runs on it.
    private final class Busy: Sendable {
        let scheduler = QueueScheduler.serial("busy")
        /// What ran on the queue, in order; an entry says so if it ran elsewhere, or concurrently with other work.
        let log = Log<String>()
        private let inside = Atomic(0)
        private let gate = DispatchSemaphore(value: 0)

        func note(_ what: String) {
            let isAlone = inside.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0
            let place = scheduler.isCurrent ? "" : ", elsewhere"
            log.add(what + place + (isAlone ? "" : ", beside other work"))
            inside.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        }

        /// Returns when a work item blocks the queue.
        func occupy() async {
            await withCheckedContinuation { begun in
                scheduler.schedule { [self] in
                    inside.wrappingAdd(1, ordering: .acquiringAndReleasing)
                    begun.resume()
                    gate.wait()
                    inside.wrappingSubtract(1, ordering: .acquiringAndReleasing)
                }
            }
        }

        func release() { gate.signal() }

        /// Returns when the scheduled work has run, and the work that it has scheduled in turn.
        func caughtUp() async { for _ in 0..<8 { await scheduler.caughtUp() } }
    }

    private let busy = Busy()

    /// A system whose parts all log their calls.
    private func system(_ reduce: @escaping @Sendable (Int, Int) -> Promise<Int>) -> System<Int, Int> {
        let note = busy.note
        let system = System<Int, Int>(
            initialState: 0, scheduler: busy.scheduler,
            feedbacks: [
                .lensingSkippingRepeated(state: { $0 }) { state in Effect { _ in note("work for \(state)") }
                },
                .imperative { _ in { state, event in note("\(event) has led to \(state)") } },
            ],
            middleware: Middleware(
                before: { event, _ in
                    note("before \(event)")
                    return .pass
                }, after: { event, _ in note("after \(event)") }),
            uiBindings: [{ note("binding \($0)") }]
        ) { state, event in
            note("reducer \(event)")
            return reduce(state, event)
        }
        system.addLoopCallback { note("callback \($0)") }
        system.onLoop { note("record \($0.event)") }
        system.onError { note("error \($0)") }
        return system
    }

    /// The log of a turn whose transition settles.
    private func turn(_ event: Int, to state: Int, transition: [String] = []) -> [String] {
        ["before \(event)", "reducer \(event)"] + transition
            + [
                "binding \(state)", "callback \(state)", "work for \(state)", "\(event) has led to \(state)",
                "after \(event)", "record \(event)",
            ]
    }

    enum Way: String, CaseIterable, Sendable {
        case value, flatMap, startOn, recover, sends, interim, rejection

        /// The transition for event 5, which waits for `source`.
        func transition(
            _ source: Promise<Int>, on scheduler: QueueScheduler,
            _ note: @escaping @Sendable (String) -> Void,
            _ send: @escaping @Sendable (Int) -> Void
        ) -> Promise<Int> {
            let inner = Promise<Int> {
                note("inner")
                $0.fulfill(5)
            }
            return switch self {
            case .value, .interim, .rejection: source
            case .flatMap: source.flatMap { _ in inner.receive(on: scheduler) }.map { $0 }
            case .startOn: source.flatMap { _ in inner.start(on: scheduler) }
            case .recover: source.recover { _ in inner.start(on: scheduler) }
            case .sends:
                source.map { value in
                    send(20)
                    return value
                }
            }
        }
    }

    @Test(
        "a transition that another thread settles continues on the queue, once that is free",
        arguments: Way.allCases)
    func settledElsewhere(way: Way) async {
        let (source, resolver) = Promise<Int>.pending()
        let sender = Box<(@Sendable (Int) -> Void)?>(nil)
        let (busy, note) = (busy, busy.note)
        let system = system { state, event in
            guard event == 5 else { return .value(state + event) }
            // The start of the log is not checked: the closures of operators run on the thread that settles.
            return way.transition(source, on: busy.scheduler, { way == .flatMap ? () : note($0) }) { event in
                sender.value?(event)
            }
        }
        sender.value = { [weak system] in system?.sendEvent($0) }
        await busy.caughtUp()
        system.sendEvent(5)
        await busy.caughtUp()
        _ = busy.log.take()

        await busy.occupy()
        await onThread {
            switch way {
            case .recover: resolver.reject(TestError("lost"))
            case .rejection: resolver.reject(CancellationError())
            case .interim:
                resolver.report(3)
                resolver.fulfill(5)
            default: resolver.fulfill(5)
            }
            system.sendEvent(1)
        }
        #expect(busy.log.entries == [])
        #expect(system.state == 0)
        busy.release()
        await busy.caughtUp()

        let first = Array(turn(5, to: 5).dropFirst(2))
        let expected =
            switch way {
            case .value, .flatMap: first + turn(1, to: 6)
            case .startOn, .recover: ["inner"] + first + turn(1, to: 6)
            case .sends: first + turn(20, to: 25) + turn(1, to: 26)
            case .interim: ["binding 3", "callback 3"] + first + turn(1, to: 6)
            case .rejection: ["error CancellationError()", "after 5", "record 5"] + turn(1, to: 1)
            }
        #expect(busy.log.entries.sorted() == expected.sorted())
        #expect(busy.log.entries.filter { !$0.hasPrefix("inner") } == expected.filter { $0 != "inner" })
    }

    @Test(
        "events that effects send from other threads are processed on the queue, once that is free")
    func effectsElsewhere() async {
        let (source, resolver) = Promise<Int>.pending()
        let handles = Log<EffectHandle<Int>>()
        let (busy, note) = (busy, busy.note)
        let system = System<Int, Int>(
            initialState: 0, scheduler: busy.scheduler,
            feedbacks: [
                .just(effects: source),
                .just(effects: Effect { handles.add($0) }),
                .onEvent({ $0 == 100 ? true : nil }) { _ in
                    Effect { effect in
                        effect.onCancel { note("cancelled") }
                        handles.add(effect)
                    }
                },
            ]
        ) { state, event in
            note("reducer \(event)")
            return .value(state + event)
        }
        system.onError { note("error \($0)") }
        system.sendEvent(100)
        await busy.caughtUp()
        _ = busy.log.take()
        await busy.occupy()
        await onThread {
            resolver.fulfill(1)
            handles.entries[0].send(2)
            handles.entries[0].fail(TestError("lost"))
            handles.entries[1].finish(sending: 4)
        }
        #expect(busy.log.entries == [])
        busy.release()
        await busy.caughtUp()
        #expect(busy.log.entries.sorted() == ["error lost", "reducer 1", "reducer 2", "reducer 4"])
        #expect(system.state == 107)
    }
}
