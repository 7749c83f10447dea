import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Work that is left over is named so that its feedback can be found.
@Suite struct WorkNameTests {
    enum Event: Sendable, Equatable { case load, loaded }

    private func texts(_ feedback: Feedback<Int, Event>) -> [String] {
        failures {
            let test = TestSystem(
                initialState: 0,
                feature: Feature(reducer: Reducer { _, _ in }, feedbacks: [feedback]))
            test.send(.load)
            test.send(.load)
            test.finish()
        }
    }

    private static func slow() -> Promise<Event> { Promise.value(.loaded).delay(.seconds(1)) }

    private static let place = "PromisedTestingTests/WorkNameTests.swift"
    private static let ending =
        "Move the clock until it is over, or send what ends it, before the end of the test, or leave it out with skipRunningWork(_:)."

    @Test("OS-56: work without a key is named by its feedback and the feedback's place") func withoutKey() {
        let line = #line + 1
        let stateFeedback = Feedback<Int, Event>.lensing(state: { $0 }) { _ in Self.slow() }
        #expect(
            texts(stateFeedback) == [
                "The work of the feedback made at \(Self.place):\(line) is still running. \(Self.ending)"
            ])
        let queueLine = #line + 1
        let queue = Feedback<Int, Event>.onEvent({ $0 == .load ? true : nil }, policy: .queue) { _ in
            Self.slow()
        }
        #expect(
            texts(queue) == [
                "The work of the feedback made at \(Self.place):\(queueLine) is still running. \(Self.ending)",
                "The work of the feedback made at \(Self.place):\(queueLine) has not started yet. \(Self.ending)",
            ])
    }

    @Test("OS-56: work with a key is named by the key and the place of its feedback") func withKey() {
        let line = #line + 1
        let feedback = Feedback<Int, Event>.onEvent(
            { $0 == .load ? true : nil }, key: { _ in "load" }, policy: .queue
        ) {
            _ in Self.slow()
        }
        #expect(
            texts(feedback) == [
                "The effect load, requested at \(Self.place):\(line), is still running. \(Self.ending)",
                "The effect load, requested at \(Self.place):\(line), has not started yet. \(Self.ending)",
            ])
    }

    @Test("OS-56: an event that is still queued at the end is named, with the place that sent it")
    func waitingEvent() {
        let sent = #line + 12
        let texts = failures {
            let scheduler = TestScheduler()
            let system = System<Int, Event>(
                initialState: 0, scheduler: scheduler,
                configuration: .init(eventPolicy: {
                    $0 == .load ? .debounce(.seconds(1), key: "load", keepsOrder: false) : .queue
                })
            ) { count, _ in
                Promise.value(count + 1).delay(.seconds(1))
            }
            let test = TestSystem(system, on: scheduler)
            test.send(.load)
            test.send(.loaded)
            test.send(.loaded)
            test.finish()
        }
        let ending = "Move the clock until it is over, or send what ends it, before the end of the test."
        #expect(
            texts == [
                "The transition of loaded, sent at \(Self.place):\(sent + 1), is still running. \(ending)",
                "The event loaded, sent at \(Self.place):\(sent + 2), is still queued. \(ending)",
                "The event load, sent at \(Self.place):\(sent), is still queued. \(ending)",
            ])
    }
}
