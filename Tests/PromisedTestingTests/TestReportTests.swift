import Foundation
import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Where failures are reported: to the running test, or to the test that collects them.
@Suite(.tags(.sharedState)) struct TestReportTests {
    private static let never = Law("never", "nothing holds") { _ in .init([:], ["it": "does not"]) }

    @Test(
        "SR-43: collected reports have their kind, their message and their place, and fail no test")
    func collected() {
        let line = #line + 4
        let reports = TestReport.collect {
            let test = TestSystem<Int, Int>(initialState: 0, exhaustivity: .off) { .value($0 + $1) }
            test.showsSkipped = true
            test.send(2) { $0 = 3 }
            test.send(1)
            test.finish()
        }
        #expect(reports.map(\.kind) == [.failure, .note])
        #expect(reports.map(\.line) == [line, line + 2])
        #expect(reports.allSatisfy { $0.fileID == "PromisedTestingTests/TestReportTests.swift" })
        #expect(reports.allSatisfy { $0.filePath == #filePath && $0.column > 1 })
        let place = "PromisedTestingTests/TestReportTests.swift"
        #expect(
            reports[0].description == """
                \(place):\(line): The settled state after 2 is not as expected. From what was expected to what it is:

                    3 → 2
                """)
        #expect(reports[1].description.hasPrefix("\(place):\(line + 2): note: Not required"))
        #expect(
            TestReport.collect { TestSystem<Int, Int>(initialState: 0) { .value($0 + $1) }.finish() }.isEmpty)
    }

    @Test("SR-43: every report of the kit can be collected: systems, doubles, laws, rows, schedulers")
    func everything() {
        let (scheduler, stub) = (TestScheduler(), Stub<Int, Int>("stub"))
        let messages = TestReport.collect {
            let test = TestSystem<Int, Int>(initialState: 0, scheduler: scheduler) { .value($0 + $1) }
            test.receive(1)
            stub.fulfill(1)
            let unused: @Sendable () -> Promise<Int> = unimplemented("unused")
            unused().start().cancel()
            checkLaws([Self.never])
            scheduler.play(tick: .zero)
        }.map(\.message)
        let beginnings = [
            "Expected to receive 1", "\"stub\" cannot be fulfilled", "\"unused\" was called",
            "The law \"never\"", "A tick of",
        ]
        #expect(messages.count == beginnings.count)
        for (message, beginning) in zip(messages, beginnings) { #expect(message.hasPrefix(beginning)) }
    }

    @Test("SR-43: reports from async work, and from tasks that it starts, are collected as well")
    func asyncWork() async {
        let reports = await TestReport.collect {
            await withTaskGroup { group in
                for _ in 1...3 { group.addTask { checkLaws([Self.never]) } }
            }
            await Task { checkLaws([Self.never]) }.value
        }
        #expect(reports.count == 4)
    }

    @Test("SR-43: a thrown error is rethrown, and later reports go to the running test again")
    func thrown() {
        struct Oops: Error {}
        #expect(throws: Oops.self) { _ = try TestReport.collect { throw Oops() } }
        let outer = TestReport.collect {
            let inner = TestReport.collect { checkLaws([Self.never]) }
            #expect(inner.count == 1)
            checkLaws([])
        }
        #expect(outer.map { $0.message.prefix(17) } == ["Nothing was tried"])
    }

    @Test(
        "SR-43: a double made while reports are collected also reports there from a thread outside of any task"
    )
    func ownThread() {
        let reports = TestReport.collect {
            let buy: @Sendable () -> Promise<Int> = unimplemented("buy")
            let done = DispatchSemaphore(value: 0)
            Thread {
                buy().start().cancel()
                done.signal()
            }.start()
            done.wait()
        }
        #expect(reports.map { $0.message.prefix(14) } == ["\"buy\" was call"])
    }

    @Test("SR-43: a report after the collecting goes to the reporter that was there before")
    func afterwards() {
        var kept: [TestSystem<Int, Int>] = []
        let outer = TestReport.collect {
            let inner = TestReport.collect {
                let test = TestSystem<Int, Int>(initialState: 0) { .value($0 + $1) }
                test.send(1)
                kept = [test]
            }
            #expect(inner.isEmpty)
            kept.removeAll()
        }
        #expect(outer.map { $0.message.prefix(33) } == ["A settled state was not asserted,"])
    }

    /// Uses a double on a thread without a task, and so without a task-local reporter.
    private static func use(_ double: @escaping @Sendable () -> Promise<Int>) {
        let done = DispatchSemaphore(value: 0)
        Thread {
            double().start().cancel()
            done.signal()
        }.start()
        done.wait()
    }

    @Test(
        "SR-43: a double reports to the enclosing reporter once its own collecting is over or has thrown")
    func late() async throws {
        struct Oops: Error {}
        let made = Lock<[@Sendable () -> Promise<Int>]>([])
        @Sendable func make(_ name: String) { made.withLock { $0.append(unimplemented(name)) } }
        let outer = await TestReport.collect {
            #expect(TestReport.collect { make("first") }.isEmpty)
            #expect(throws: Oops.self) {
                _ = try TestReport.collect {
                    make("second")
                    throw Oops()
                }
            }
            await #expect(throws: Oops.self) {
                _ = try await TestReport.collect {
                    await Task.yield()
                    make("third")
                    throw Oops()
                }
            }
            for double in made.withLock({ $0 }) { Self.use(double) }
        }
        #expect(outer.map { $0.message.prefix(8) } == ["\"first\" ", "\"second\"", "\"third\" "])
    }

    @Test("SR-43: the current reporter takes precedence over the one with which a double was made")
    func inForce() {
        let (first, second) = (Lock<[String]>([]), Lock<[String]>([]))
        let buy: @Sendable () -> Promise<Int> = TestReport.withReporter({ report in
            first.withLock { $0.append(report.message) }
        }) { unimplemented("buy") }
        TestReport.withReporter({ report in second.withLock { $0.append(report.message) } }) {
            buy().start().cancel()
        }
        #expect(first.withLock { $0.count } == 0)
        #expect(second.withLock { $0.count } == 1)
        Self.use(buy)
        #expect(first.withLock { $0.count } == 1)
    }

    // MARK: The running test

    private static let issues = Lock<[Issue]>([])

    @Test(
        "SR-43: without a reporter, failures are issues of the running test at the place of the call, and notes are warnings",
        .compactMapIssues { issue in
            issues.withLock { $0.append(issue) }
            return nil
        })
    func runningTest() {
        let line = #line + 1
        checkLaws([Self.never])
        let test = TestSystem<Int, Int>(initialState: 0, exhaustivity: .off) { .value($0 + $1) }
        test.showsSkipped = true
        test.send(2)
        test.finish()
        let issues = Self.issues.withLock { $0 }
        #expect(issues.map(\.severity) == [.error, .warning])
        #expect(issues.map { $0.sourceLocation?.line } == [line, line + 4])
        #expect(issues.first?.comments.first?.rawValue.hasPrefix("The law \"never\" does not hold") == true)
    }
}
