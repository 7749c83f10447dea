import Foundation
import Promise
import Synchronization
import TestSupport
import Testing

/// ``PromiseDiagnostics/handler`` is shared by all tests, so each of these runs in its own process.
@Suite(.tags(.sharedState), .ownThreads) struct ReportingTests {
    @Test(
        "replacing a handler that holds the last reference to an unhandled error reports that error"
    )
    func replaced() async {
        await #expect(processExitsWith: .success) {
            let reports = Counter()
            let held = Promise<Int>(error: Boom("held")).start()
            PromiseDiagnostics.handler = { [held] _ in withExtendedLifetime(held) {} }
            _ = consume held
            // Releasing the old handler releases the last reference.
            PromiseDiagnostics.handler = { report in
                if case PromiseProblem.unhandled(let error) = report.problem, (error as? Boom)?.name == "held"
                {
                    reports.up()
                }
            }
            exit(reports.value == 1 ? 0 : 1)
        }
    }

    @Test(
        "a handler that causes unhandled errors itself is not called for them",
        arguments: [true, false])
    func handlerFails(isPlain: Bool) async {
        await #expect(processExitsWith: .success) { [isPlain] in
            let calls = Atomic(0)
            PromiseDiagnostics.handler = { _ in
                guard calls.wrappingAdd(1, ordering: .relaxed).newValue < 100_000 else { exit(2) }
                if isPlain {
                    Promise<Int>(error: Boom("plain")).start()
                } else {
                    Promise<Int> { _ in throw Boom("of a body") }.map { $0 + 1 }.start()
                }
            }
            for _ in 0..<3 { Promise<Int> { _ in throw Boom("first") }.start() }
            exit(calls.load(ordering: .relaxed) == 3 ? 0 : 1)
        }
    }
}
