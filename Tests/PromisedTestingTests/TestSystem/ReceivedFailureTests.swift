import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Failures must be asserted like events and states.
@Suite struct ReceivedFailureTests {
    struct Oops: Error, Equatable {}
    enum Event: Sendable, Equatable { case save, other }
    struct Full: Error, CustomStringConvertible { let description = "The disk is full." }

    private static func failing() -> TestSystem<Int, Event> {
        TestSystem<Int, Event>(initialState: 0) { _, _ in Promise(error: Oops()) }
    }

    @Test("OS-56: an unasserted failure of a transition fails the test") func transition() {
        let line = #line + 3
        let texts = failures {
            let test = Self.failing()
            test.send(.save)
            test.finish()
        }
        #expect(
            texts == [
                """
                The transition of save, sent at PromisedTestingTests/ReceivedFailureTests.swift:\(line), failed: Oops().

                Receive it with receiveFailure(_:) before the end of the test, or fix what fails.
                """
            ])
    }

    @Test("OS-56: an error whose text is a sentence has one full stop in the report") func sentence() {
        let texts = failures {
            let test = TestSystem<Int, Event>(initialState: 0) { _, _ in
                Promise(error: Full())
            }
            test.send(.save)
            test.finish()
        }
        #expect(texts.first?.contains("failed: The disk is full.\n\n") == true)
    }

    @Test("OS-56: an unasserted failure of an effect fails the test") func effect() {
        let line = #line + 3
        for answer in [Promise<Event>(error: Oops()), Promise<Event>(error: Oops()).delay(.seconds(1))] {
            let texts = failures {
                let feedback = Feedback<Int, Event>.onEvent({ $0 == .save ? true : nil }) { _ in answer }
                let test = TestSystem(
                    initialState: 0,
                    feature: Feature(reducer: Reducer { _, _ in }, feedbacks: [feedback]))
                test.send(.save)
                test.run()
                test.finish()
            }
            #expect(
                texts == [
                    """
                    The work of the feedback made at PromisedTestingTests/ReceivedFailureTests.swift:\(line) failed: Oops().

                    Receive it with receiveFailure(_:) before the end of the test, or fix what fails.
                    """
                ])
        }
    }

    @Test("OS-56: a failure is reported even if the system has its own onError") func handled() {
        let texts = failures {
            let scheduler = TestScheduler()
            let system = System<Int, Event>(initialState: 0, scheduler: scheduler) { _, _ in
                Promise(error: Oops())
            }
            system.onError { (_: any Error) in }
            let test = TestSystem(system, on: scheduler)
            test.send(.save)
            test.finish()
        }
        #expect(texts.count == 1)
    }

    // MARK: Asserted

    @Test(
        "OS-56: a failed transition is asserted by its error, its type or a closure, and leaves the state"
    ) func asserted() {
        for assert in [
            { $0.receiveFailure(Oops()) }, { $0.receiveFailure(Oops.self) },
            { $0.receiveFailure(where: { $0 is Oops }) },
        ] as [(TestSystem<Int, Event>) -> Void] {
            let test = TestSystem<Int, Event>(initialState: 0) { _, _ in
                Promise(error: Oops()).delay(.seconds(1)).stateWhenLoading(1)
            }
            test.send(.save) { $0 = 1 }
            test.advance(by: .seconds(1))
            assert(test)
            test.assert { $0 = 0 }
            test.finish()
        }
    }

    @Test("OS-56: an effect that fails is asserted; its feedback keeps running") func effectAsserted() {
        let feedback = Feedback<Int, Event>.onEvent({ $0 == .save ? true : nil }) { _ in
            Promise(error: Oops()).delay(.seconds(1))
        }
        let test = TestSystem(
            initialState: 0, feature: Feature(reducer: Reducer { _, _ in }, feedbacks: [feedback]))
        for _ in 1...2 {
            test.send(.save)
            test.advance(by: .seconds(1))
            test.receiveFailure(Oops())
        }
        test.finish()
    }

    @Test("OS-56: each failure can be received only once") func once() {
        let texts = failures {
            let test = Self.failing()
            test.send(.save)
            test.send(.other)
            test.receiveFailure(Oops())
            test.receiveFailure(Oops())
            test.receiveFailure(Oops())
            test.finish()
        }
        #expect(
            texts == [
                """
                Expected to receive the failure Oops(), but there is no failure left to receive.

                What fails may need time: move the clock with advance(by:) first.
                """
            ])
    }

    @Test("OS-56: if another failure is expected, the actual failures are listed, and still fail the test")
    func another() {
        struct Other: Error, Equatable {}
        let line = #line + 3
        let texts = failures {
            let test = Self.failing()
            test.send(.save)
            test.receiveFailure(Other())
            test.receiveFailure(CancellationError.self)
            test.finish()
        }
        let failure =
            "The transition of save, sent at PromisedTestingTests/ReceivedFailureTests.swift:\(line), failed: Oops()"
        #expect(texts.count == 3)
        #expect(
            texts.first == """
                Expected to receive the failure Other(), but this has failed:

                    \(failure)
                """)
        #expect(
            texts.dropFirst().first?.hasPrefix("Expected to receive a failure of type CancellationError, but")
                == true)
        #expect(texts.last?.hasPrefix(failure + ".") == true)
    }

    @Test("OS-56: a cancellation that the work brings itself is a failure") func cancelled() {
        let test = TestSystem<Int, Event>(initialState: 0) { _, _ in Promise(error: CancellationError()) }
        test.send(.save)
        test.receiveFailure(CancellationError.self)
        test.finish()
    }

    @Test(
        "OS-57: without .failures, a failure is noted, or passed on to the system's onError or the diagnostics"
    )
    func notAskedFor() {
        let reports = TestReport.collect {
            let test = Self.failing()
            test.exhaustivity = .on.subtracting(.failures)
            test.showsSkipped = true
            test.send(.save)
            test.finish()
        }
        #expect(reports.map(\.kind) == [.note])
        #expect(reports.first?.message.contains("The transition of save, sent at ") == true)
    }

    @Test(
        "OS-57: without .failures, an unhandled failure is reported to the diagnostics, once",
        arguments: ["unheard", "heard", "noted"])
    func passedOn(how: String) {
        Reports.begin()
        let name = "failure-of-a-test-\(how)"
        let scheduler = TestScheduler()
        let system = System<Int, Event>(initialState: 0, scheduler: scheduler) { _, _ in
            Promise(error: Named(name: name))
        }
        if how == "heard" { system.onError { (_: any Error) in } }
        let reports = TestReport.collect {
            let test = TestSystem(system, on: scheduler, exhaustivity: .on.subtracting(.failures))
            test.showsSkipped = how == "noted"
            test.send(.save)
            test.finish()
        }
        #expect(reports.count == (how == "noted" ? 1 : 0))
        #expect(Reports.about(name).count == (how == "unheard" ? 1 : 0))
    }

    @Test("OS-56: a failure after the test system has finished is reported to the diagnostics")
    func afterwards() {
        Reports.begin()
        let scheduler = TestScheduler()
        let system = System<Int, Event>(initialState: 0, scheduler: scheduler) { _, _ in
            Promise(error: Named(name: "failure-after-a-test"))
        }
        let test = TestSystem(system, on: scheduler)
        test.finish()
        system.sendEvent(.save)
        scheduler.advance()
        #expect(Reports.about("failure-after-a-test").count == 1)
        withExtendedLifetime(test) {}
    }

    private struct Named: Error { let name: String }
}
