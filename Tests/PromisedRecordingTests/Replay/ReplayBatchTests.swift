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
        let (session, scheduler) = (try RecordedSession(), TestScheduler())
        let configuration = RandomProgram.configuration(limitsCalls: true)
        let system = RandomProgram().system(
            on: scheduler, configuration.recorded(by: session.recorder, as: "program"))
        scheduler.advance()
        for calls in batches {
            if isBusy {
                system.sendEvent(.wait(7))
                scheduler.advance()
            }
            for call in calls { call.perform(on: system) }
            scheduler.advance(by: .milliseconds(20))
        }
        let result = try await session.recording().run(
            Counter.self, RandomProgram.Step.self, as: "program", tolerance: .strict
        ) { RandomProgram().system(on: $0.scheduler, configuration) }
        #expect(result.isSame && result.notes == [], "\(result)")
    }
}
