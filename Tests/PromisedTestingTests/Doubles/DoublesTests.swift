import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// Test doubles for dependencies and for observers.
@Suite struct DoublesTests {
    private let scheduler = TestScheduler()

    private func system() -> System<Int, Int> {
        System(initialState: 0, scheduler: scheduler) { count, number in
            Promise.value(count + number).delay(.seconds(2)).stateWhenLoading(-1)
        }
    }

    @Test("FS-40: states are recorded with their instants; a second read returns only those recorded since")
    func states() {
        let system = system()
        let recorder = Recorder(system.shown.map(\.state), on: scheduler)
        system.sendEvent(3)
        scheduler.run()
        #expect(recorder.take() == [.init(.zero, 0), .init(.zero, -1), .init(.seconds(2), 3)])
        #expect(recorder.take().isEmpty)
        scheduler.advance(by: .seconds(1))
        system.sendEvent(4)
        scheduler.run()
        #expect(recorder.take() == [.init(.seconds(3), -1), .init(.seconds(5), 7)])
        #expect(recorder.values == [0, -1, 3, -1, 7])
        #expect("\(recorder.entries[2])" == "2.0 seconds: 3")
    }

    @Test("FS-40: turns are recorded when they end") func turns() {
        let system = system()
        let recorder = Recorder(turnsOf: system, on: scheduler)
        for number in [1, 2] { system.sendEvent(number) }
        scheduler.run()
        #expect(recorder.entries.map(\.instant) == [.seconds(2), .seconds(4)])
        #expect(recorder.values.map(\.after) == [1, 3])
    }

    @Test("FS-39: a reducer is tested without a scheduler") func reducer() throws {
        let reducer = Reducer<Int, Int> { $0 += $1 }
        for (state, event, expected) in [(0, 1, 1), (1, 2, 3), (3, -3, 0)] {
            #expect(try reducer(state, event).result?.get() == expected)
        }
    }

    @Test("SR-43: an unimplemented dependency fails the test when its work starts, and not before")
    func unexpected() {
        let buy: @Sendable (String, Int) -> Promise<Bool> = unimplemented("buy")
        let nothing: @Sendable () -> Promise<Int> = unimplemented("nothing")
        let promise = buy("tea", 3)
        _ = nothing()
        let told = Lock<[String]>([])
        TestReport.withReporter({ report in told.withLock { $0.append(report.message) } }) {
            _ = promise.catch { error in told.withLock { $0.append("\(error)") } }
        }
        #expect(
            told.withLock { $0 } == [
                """
                "buy" was called, but the test does not implement it.

                Pass an implementation to the code under test, or find out why it makes this call.
                """, "\"buy\" is not implemented in this test.",
            ])
    }
}
