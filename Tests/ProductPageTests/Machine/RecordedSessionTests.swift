import Foundation
import PromisedRecording
import PromisedSystem
import PromisedTesting
import Synchronization
import TestSupport
import Testing

@testable import ProductPage
@testable import ProductReading

/// Whatever happens on the page, its recording has the states that it had, and is run again.
@Suite(.tags(.sharedState)) struct RecordedSessionTests {
    private typealias State = ProductPage.State
    private typealias Event = ProductPage.Event

    @Test("R25: a random session of the page is played back in both directions and run again")
    func sessions() async throws {
        for round in 0..<rounds(3, stress: 100) {
            try await check(seed: firstSeed() &+ UInt64(round), steps: rounds(60, stress: 500))
        }
    }

    /// A shop whose answers take up to nine seconds, some of which are failures.
    private func effects(using generator: inout SeededGenerator) -> Effects {
        let failing = Set((0..<40).map { _ in Int.random(in: 1...400, using: &generator) })
        let shop = FakeShop(
            cart: [.a, .b], latency: .seconds(Int.random(in: 0...9, using: &generator)), failing: failing)
        let endpoints = EndpointEffects(source: shop, storage: shop)
        return Effects(source: endpoints, storage: endpoints)
    }

    private func run(
        _ page: System<State, Event>, on scheduler: TestScheduler, steps: Int,
        using generator: inout SeededGenerator
    ) {
        let events = TransitionCase.events + [.load, .addLine(.oneA), .removeLine(.oneB), .show("none")]
        scheduler.advance()
        for _ in 0..<steps {
            let batch = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                events[Int.random(in: 0..<events.count, using: &generator)]
            }
            if Bool.random(using: &generator) {
                for event in batch { page.sendEvent(event) }
            } else {
                scheduler.schedule { for event in batch { page.sendEvent(event) } }
            }
            scheduler.advance(by: .seconds(Int.random(in: 0...12, using: &generator)))
        }
        scheduler.run()
    }

    private func check(seed: UInt64, steps: Int) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = try SessionRecorder(to: .file(path), program: "test")
        let scheduler = TestScheduler()
        let states = Mutex<[State]>([])
        var generator = SeededGenerator(seed: seed)
        let page = ProductPage.system(
            effects: effects(using: &generator), scheduler: scheduler, recorder: recorder)
        let note: @Sendable (System<State, Event>) -> Void = { page in
            states.withLock { $0.append(page.shown.value.state) }
        }
        let token = page.onTurn { [weak page] _, _ in page.map(note) }
        run(page, on: scheduler, steps: steps, using: &generator)
        note(page)
        token.cancel()
        await recorder.finish()

        let recording = try Recording(contentsOf: path)
        #expect(try recording.problems() == [], "\(seed)")
        let expected = states.withLock { $0 }
        #expect(recording.turns == 0...expected.count - 1, "\(seed)")
        var playback = try recording.playback(of: "page", State.self)
        repeat {
            #expect(try playback.state == expected[playback.turn], "turn \(playback.turn) of \(seed)")
        } while try playback.step()
        while try playback.stepBack() {
            #expect(try playback.state == expected[playback.turn], "turn \(playback.turn) of \(seed)")
        }
        var unused = SeededGenerator(seed: seed)
        let today = effects(using: &unused)
        let result = try recording.run(State.self, Event.self, as: "page", tolerance: .strict) {
            ProductPage.system(effects: today, initialState: $0.state, scheduler: $0.scheduler)
        }
        #expect(result.isSame && result.notes == [], "\(seed): \(result)")
        #expect(result.turns == recording.turns.upperBound, "\(seed)")
    }
}
