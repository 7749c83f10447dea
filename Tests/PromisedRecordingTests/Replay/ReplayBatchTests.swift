import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// What is called from beside the scheduler at one instant, in every order: the loop finds all of it at once.
@Suite struct ReplayBatchTests {
    private typealias Program = System<Counter, RandomProgram.Step>

    private enum Call: CaseIterable {
        case add, debounce, throttle, replace, unlessBusy, load, find, stop, flush, flushKey, drop

        func perform(on system: Program) {
            switch self {
            case .add: system.sendEvent(.add(1))
            case .debounce: system.sendEvent(.debounced(2))
            case .throttle: system.sendEvent(.throttled(1))
            case .replace: system.sendEvent(.replacing(3))
            case .unlessBusy: system.sendEvent(.unlessBusy(4))
            case .load: system.sendEvent(.load(3))
            case .find: system.sendEvent(.find("tea"))
            case .stop: system.sendEvent(.stopped)
            case .flush: system.flush()
            case .flushKey: system.flush("debounced")
            case .drop: system.dropQueuedEvents()
            }
        }

        static func sequences(length: Int) -> [[Call]] {
            if length == 0 { return [[]] }
            return sequences(length: length - 1).flatMap { rest in allCases.map { rest + [$0] } }
        }
    }

    /// Some of four calls, which a replay has had in another order.
    private static let longer: [[Call]] = [
        [.load, .debounce, .flush, .replace], [.add, .debounce, .flush, .drop],
        [.replace, .drop, .add, .find],
    ]

    @Test("R25: calls at one instant are run again, in whatever order they are", arguments: [false, true])
    func batches(isBusy: Bool) async throws {
        let all = Self.longer + Call.sequences(length: rounds(3, stress: 4))
        // Of very many batches, the numbers of the program would be too large.
        for start in stride(from: 0, to: all.count, by: 120) {
            try await check(all[start..<min(start + 120, all.count)], isBusy: isBusy)
        }
    }

    private func check(_ batches: ArraySlice<[Call]>, isBusy: Bool) async throws {
        try await check { system, scheduler in
            for calls in batches {
                if isBusy {
                    system.sendEvent(.wait(7))
                    scheduler.advance()
                }
                for call in calls { call.perform(on: system) }
                scheduler.advance(by: .milliseconds(20))
            }
        }
    }

    @Test("R25: so is what cancels a call, right after a turn within the delivery of its interim answer")
    func afterDelivery() async throws {
        for isFlushed in [false, true] {
            try await check { system, scheduler in
                system.sendEvent(.wait(2))
                scheduler.advance()
                for event in [.find("tea"), .debounced(7)] as [RandomProgram.Step] { system.sendEvent(event) }
                scheduler.advance(by: .milliseconds(2))
                if isFlushed { system.flush("debounced") }
                for _ in 1...2 { system.sendEvent(.find("mug")) }
                scheduler.advance(by: .milliseconds(20))
            }
        }
    }

    private func check(_ act: (Program, TestScheduler) -> Void) async throws {
        let (session, scheduler) = (try RecordedSession(), TestScheduler())
        let configuration = RandomProgram.configuration(limitsCalls: true)
        let system = RandomProgram().system(
            on: scheduler, configuration.recorded(by: session.recorder, as: "program"))
        scheduler.advance()
        act(system, scheduler)
        let result = try await session.recording().run(
            Counter.self, RandomProgram.Step.self, as: "program", tolerance: .strict
        ) { RandomProgram().system(on: $0.scheduler, configuration) }
        #expect(result.isSame && result.notes == [], "\(result)")
    }

    private enum Inner: CaseIterable {
        case add, debounce, replace, flush, flushKey, drop

        func perform(on system: System<Int, Int>) {
            switch self {
            case .add: system.sendEvent(10)
            case .debounce: system.sendEvent(20, policy: .debounce(.milliseconds(5), key: "b"))
            case .replace: system.sendEvent(30, policy: .replace)
            case .flush: system.flush()
            case .flushKey: system.flush("a")
            case .drop: system.dropQueuedEvents()
            }
        }
    }

    private enum Place: CaseIterable { case inTurn, inLateTurn, inReplacingTurn, afterTurn }

    @Test("R25: so are calls of a subscriber in a turn, and those after one", arguments: Place.allCases)
    private func subscribers(place: Place) async throws {
        for (first, second, third) in product(Inner.allCases) {
            let (session, scheduler) = (try RecordedSession(), TestScheduler())
            @Sendable func counter(
                _ scheduler: some SerialScheduler, _ configuration: System<Int, Int>.Configuration = .init()
            ) -> System<Int, Int> {
                System(initialState: 0, scheduler: scheduler, configuration: configuration) { state, event in
                    event == 2 && (place == .inLateTurn || place == .inReplacingTurn)
                        ? Promise.value(state + event).delay(.milliseconds(1)) : .value(state * 2 + event)
                }
            }
            let system = counter(scheduler, .init().recorded(by: session.recorder, as: "counter"))
            let token = system.settled.subscribe(replayCurrent: false) { [weak system] state in
                guard let system, state == 1, place != .afterTurn else { return }
                for call in [first, second, third] { call.perform(on: system) }
            }
            for key in ["a", "c"] as [EffectKey] {
                system.sendEvent(3, policy: .debounce(.milliseconds(5), key: key, keepsOrder: false))
            }
            scheduler.advance()
            if place == .inReplacingTurn { system.sendEvent(2) }
            system.sendEvent(1, policy: place == .inReplacingTurn ? .replace : nil)
            for event in [2, 4] { system.sendEvent(event) }
            if place == .afterTurn {
                scheduler.advance()
                for call in [first, second, third] { call.perform(on: system) }
            }
            scheduler.advance(by: .milliseconds(20))
            token.cancel()
            let result = try await session.recording().run(
                Int.self, Int.self, as: "counter", tolerance: .strict
            ) { counter($0.scheduler) }
            #expect(result.isSame, "\(first) \(second) \(third): \(result)")
        }
    }

    private func product<Element>(_ all: [Element]) -> [(Element, Element, Element)] {
        all.flatMap { first in all.flatMap { second in all.map { (first, second, $0) } } }
    }
}
