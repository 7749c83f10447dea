import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@Suite struct FailureTests {
    @Test("PK-24: a rejected transition leaves the state, is reported, and the next event runs")
    func rejection() {
        let bench = Bench()
        bench.send(.fail("PK-24", showing: "L"), .add("ok"))
        bench.advance()
        #expect(bench.errors.entries == ["PK-24"])
        #expect(bench.shown.entries == ["~L", "", "ok"])
        #expect(bench.system.state == "ok")
        #expect(bench.outcomes == ["1 PK-24 failed(PK-24)", "2 ok settled"])
    }

    @Test("Both forms of onError receive every error once, with its event")
    func onError() {
        let bench = Bench()
        let log = Log<String>()
        bench.system.onError { error, event in log.add("\(error) of \(event)") }
        bench.send(.fail("first"), .fail("second", after: .s(1)))
        bench.advance(1)
        #expect(bench.errors.entries == ["first", "second"])
        #expect(log.entries == ["first of first", "second of second"])
    }

    @Test("Without onError an error is reported once, with event and origin")
    func unheard() {
        Reports.begin()
        let bench = Bench(listensToErrors: false)
        let line = #line + 1
        bench.system.sendEvent(.fail("unheard-error", showing: "L"))
        bench.advance()
        let reports = Reports.about("unheard-error")
        #expect(reports.count == 1)
        #expect(reports.first?.origin.line == line)
        #expect(reports.first?.origin.file == "PromisedSystemTests/FailureTests.swift")
        guard case SystemProblem.failedTransition(let error, let event)? = reports.first?.problem else {
            Issue.record("Not reported as a failed transition: \(reports)")
            return
        }
        #expect(error as? TestError == TestError("unheard-error"))
        #expect(event == "unheard-error")
    }

    @Test("The error of an effect is reported once, and not at all with onError", arguments: [true, false])
    func effect(hasListener: Bool) {
        Reports.begin()
        let name = "effect-error-\(hasListener)"
        let system = System<Int, Int>(
            initialState: 0, scheduler: .immediate, reducer: .identity,
            feedbacks: [.onEvent({ $0 }) { _ in Effect<Int>.fireAndForget { throw TestError(name) } }])
        let errors = Log<String>()
        if hasListener { system.onError { errors.add("\($0)") } }
        system.sendEvent(1)
        #expect(errors.entries == (hasListener ? [name] : []))
        #expect(Reports.about(name).count == (hasListener ? 0 : 1))
    }

    @Test("With onError nothing is reported; once it is removed, errors are reported again")
    func removedOnError() {
        Reports.begin()
        let bench = Bench(listensToErrors: false)
        let token = bench.system.onError { _ in }
        bench.send(.fail("error-with-listener"))
        bench.send(.fail("error-with-listener", after: .s(1)))
        bench.advance(1)
        #expect(Reports.about("error-with-listener").isEmpty)
        token.cancel()
        bench.send(.fail("heard-no-more"))
        bench.advance()
        #expect(Reports.about("heard-no-more").count == 1)
    }

    @Test("A transition that its own work cancels fails like any other, and is reported")
    func ownCancellation() {
        Reports.begin()
        let bench = Bench(listensToErrors: false)
        bench.send(Step("cancels-itself") { _ in Promise<String>(error: CancellationError()).interim("L") })
        bench.send(.add("a"))
        bench.advance()
        #expect(bench.outcomes == ["1 cancels-itself failed(CancellationError())", "2 a settled"])
        #expect(bench.shown.entries == ["~L", "", "a"])
        #expect(Reports.about("cancels-itself").count == 1)
    }

    @Test("A promise that others cancel ends the transition")
    func cancelledByOthers() {
        let bench = Bench()
        let (promise, resolver) = Promise<String>.pending()
        bench.send(Step("shared") { _ in promise.stateWhenLoading("L") }, .add("a"))
        bench.advance()
        promise.cancel()
        bench.advance()
        #expect(bench.outcomes == ["1 shared failed(CancellationError())", "2 a settled"])
        #expect(bench.shown.entries == ["~L", "", "a"])
        #expect(!resolver.fulfill("late"))
    }

    @Test("An abandoned resolver fails the transition and names where the promise was made")
    func abandoned() {
        let bench = Bench()
        let line = #line + 1
        bench.send(Step("abandons") { _ in Promise { _ in } }, .add("a"))
        bench.advance()
        #expect(bench.errors.count == 1)
        #expect(bench.errors.entries.first?.contains("FailureTests.swift:\(line)") == true)
        #expect(bench.system.state == "a")
    }

    @Test("An error that arrived while the system was being stopped is reported")
    func stoppedWhileWithdrawing() {
        Reports.begin()
        let bench = Bench(listensToErrors: false)
        let resolver = Box<Resolver<String>?>(nil)
        bench.send(Step("withdraws") { _ in Promise { resolver.value = $0 }.interim("L") })
        bench.advance()
        // The settled state is shown again; this callback then stops the system.
        bench.system.addLoopCallback { [weak system = bench.system] _ in system?.stop() }
        resolver.exchange(nil)?.reject(TestError("stopped-while-withdrawing"))
        bench.advance()
        #expect(bench.shown.entries == ["~L", ""])
        #expect(bench.records.entries.isEmpty)
        #expect(Reports.about("stopped-while-withdrawing").count == 1)
    }

    @Test("An error that was there from the start is reported if the system is being stopped")
    func stoppedWhileWithdrawingAtOnce() {
        Reports.begin()
        let bench = Bench(listensToErrors: false)
        bench.system.addLoopCallback { [weak system = bench.system] state in
            if state.isEmpty { system?.stop() }
        }
        bench.send(Step("withdraws") { _ in Promise(error: TestError("stopped-at-once")).interim("L") })
        bench.advance()
        #expect(bench.shown.entries == ["~L", ""])
        #expect(Reports.about("stopped-at-once").count == 1)
    }
}
