import PromisedSystem
import TestSupport
import Testing

@testable import PromisedRecording

/// What a recorder keeps in memory, and for how long.
@Suite(.tags(.sharedState)) struct RecorderMemoryTests {
    private final class Payload: Sendable {}

    // MARK: The last turns

    @Test("Of the last turns, the segments are kept that have as many", arguments: [349, 350, 351])
    func ring(turns: Int) {
        var ring = RingSegments()
        for turn in 1...turns {
            if turn % 100 == 0 { ring.begin(at: turn) }
            ring.add([UInt8(turn / 100)], keeping: 150, of: turn)
        }
        #expect(ring.lines.first == (turns < 350 ? 1 : 2) && ring.lines.last == 3)
    }

    @Test("The last turns have at most 64 MiB, however many were written before") func size() {
        var ring = RingSegments()
        for turn in 1...80 {
            ring.begin(at: turn)
            ring.add(Array(repeating: 0, count: 1 << 20), keeping: 10, of: turn)
        }
        #expect(ring.size == 11 << 20)
        for turn in 81...150 {
            ring.begin(at: turn)
            ring.add(Array(repeating: 0, count: 1 << 20), keeping: 1_000, of: turn)
        }
        #expect(ring.size == 64 << 20)
    }

    // MARK: Facts

    @Test("The writer is woken by the first fact after it has taken those before, and by many") func wakeUps()
    {
        let delays = Entries<Duration>()
        let buffer = FactBuffer(memory: 1) { _, delay in delays.add(delay) }
        for _ in 0..<2 { buffer.noted(1) }
        #expect(delays.take() == [.milliseconds(200)])
        _ = buffer.take()
        for _ in 0..<2 { buffer.noted(1) }
        #expect(delays.take() == [.milliseconds(200)])
        buffer.noted(FactBuffer.crowd)
        #expect(delays.all == [.zero])
    }

    @Test(
        "A recording that has ended, or could not be written, keeps no later events, and reports once",
        arguments: [false, true], [false, true])
    func end(isFailing: Bool, isOfLaterSystem: Bool) async throws {
        let (output, problems) = (CountingOutput(isFailing: isFailing), Entries<RecorderError>())
        let recorder = SessionRecorder(output) { problems.add($0) }
        func system() -> System<Int, Payload> {
            System(
                initialState: 0, scheduler: .immediate, reducer: Reducer { state, _ in state += 1 },
                configuration: .init().recorded(by: recorder, as: "counter"))
        }
        let first = system()
        first.sendEvent(Payload())
        if isFailing { await recorder.flush() } else { await recorder.finish() }
        let system = isOfLaterSystem ? system() : first
        var payload: Payload? = Payload()
        weak let event = payload
        if let payload { system.sendEvent(payload) }
        payload = nil
        #expect(event == nil)
        await recorder.flush()
        await recorder.finish()
        #expect(problems.all.count == (isFailing ? 1 : 0))
        withExtendedLifetime(first) {}
    }

    // MARK: Saving after errors

    private struct Failure: Error {}

    @Test(
        "The last turns are saved once after each transition and each effect that fails",
        arguments: [0, 1])
    func errors(event: Int) async throws {
        let output = CountingOutput()
        let recorder = SessionRecorder(output, mode: .last(turns: 10, savingOnError: true)) { _ in }
        let system = System<Int, Int>(
            initialState: 0, scheduler: .immediate,
            feedbacks: [
                .onEvent({ $0 == 1 ? true : nil }) { _ in Effect.promise(Promise(error: Failure())) }
            ],
            configuration: .init().recorded(by: recorder, as: "counter")
        ) { state, event in event == 0 ? Promise(error: Failure()) : .value(state + event) }
        system.onError { _ in }
        var counts: [Int] = []
        for event in [2, event, 2, 2, event] {
            system.sendEvent(event)
            await recorder.flush()
            counts.append(output.replacements)
        }
        #expect(counts == [0, 1, 1, 1, 2])
    }
}
