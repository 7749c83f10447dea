import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Inputs and expectations, tick by tick.
@Suite struct MarblesTests {
    private struct Boom: Error, CustomStringConvertible { let description = "boom" }

    private let scheduler = TestScheduler()

    private func search() -> System<String, String> {
        System(initialState: "", scheduler: scheduler, configuration: .init(eventPolicy: { _ in .replace })) {
            _, text in
            guard !text.isEmpty else { return Promise(error: Boom()) }
            return Promise.value("hits of \(text)").delay(.seconds(2)).stateWhenLoading("...")
        }
    }

    private let typed = ["a": "te", "b": "tea", "x": ""] as [Character: String]
    private let shown = ["l": "...", "a": "hits of te", "b": "hits of tea", "0": ""] as [Character: String]

    @Test("events are sent; shown states, settled states and turns are expected") func system() {
        let search = search()
        search.onError { _ in }
        scheduler.play(
            .send("  typed:   a-b----x-|", to: search, typed),
            .expect("shown:   l-l-b----|", of: search.shown.map(\.state), shown),
            .expect("kinds:   l-l-s----|", of: search.shown) { $0.isLoading ? "l" : "s" },
            .expect("settled: ----b----|", of: search.settled, shown),
            .expect("turns:   --c-s--f--", ofTurnsOf: search) { record in
                switch record.outcome {
                case .settled: "s"
                case .failed: "f"
                case .missed: "m"
                case .cancelled, .stopped, .dropped: "c"
                }
            })
        #expect(scheduler.now == .seconds(9))
    }

    @Test(
        "the current value, several values at one instant, and a second play that continues the first"
    )
    func counting() {
        let count = System<Int, Int>(initialState: 0, scheduler: scheduler) { .value($0 + $1) }
        scheduler.play(
            .send("  one:   1-(11)-", to: count) { Int(String($0)) },
            .send("  two:   --2    -", to: count) { Int(String($0)) },
            .expect("count: (01)-(235)-", of: count.settled, replayCurrent: true))
        #expect(scheduler.now == .seconds(3))
        scheduler.play(.send("-3", to: count) { Int(String($0)) }, .expect("-8", of: count.settled))
        #expect(scheduler.now == .seconds(4))
    }

    @Test("a promise: interim values, a value, an error, a time limit, another attempt")
    func promises() {
        let slow = Promise.value("v").delay(.seconds(3)).interim("i")
        scheduler.play(.expect("i--(v|)--", of: slow))
        scheduler.play(.expect("i-#--", of: slow.delay(.seconds(9)).timeout(.seconds(2))))
        scheduler.play(
            .expect(
                "--t-", of: Promise.value(1).delay(.seconds(9)).timeout(.seconds(2)), [:],
                error: { if case PromiseError.timedOut = $0 { "t" } else { "#" } }))
        let calls = Stub<Void, Int>("calls")
        let retried = Promise<Int>.retry(attempts: 3, backoff: .constant(.seconds(2))) { calls.function() }
        scheduler.play(
            .settle("calls: -#--#--i-v", calls, ["v": 7], interim: ["i": 5]),
            .expect("told:  -------i-(v|)", of: retried, ["v": 7, "i": 5]))
        calls.finish()
        let cancelled = Promise.value(1).delay(.seconds(5))
        scheduler.play(
            .perform("--x----", ["x": cancelled]) { $0.cancel() }, .expect("--#----", of: cancelled))
    }

    @Test("a tick of another length") func tick() {
        scheduler.play(
            .expect("---(1|)", of: Promise.value(1).delay(.milliseconds(30))), tick: .milliseconds(10))
        #expect(scheduler.now == .milliseconds(30))
        // As fractions, many of these are slightly less than a whole number of ticks.
        for number in 1..<60 {
            scheduler.play(
                .expect(
                    String(repeating: "-", count: number) + "(1|)",
                    of: Promise.value(1).delay(.milliseconds(100 * number))),
                tick: .milliseconds(100))
        }
    }

    // MARK: Failures

    @Test("rows that differ are shown under each other, with the first tick that differs")
    func different() {
        let search = search()
        #expect(
            failures {
                scheduler.play(
                    .send("  typed: a-b---", to: search, typed),
                    .expect("shown: l-l--b", of: search.shown.map(\.state), shown))
            } == [
                """
                "shown" is not as expected at 4.0 seconds: expected nothing, but b came.

                    typed: a-b---
                    shown: l-l--b
                    seen:  l-l-b-
                               ^

                b: hits of tea

                Fix the code or the inputs of the test, or change the row to what was seen.
                """
            ])
    }

    @Test(
        "a missing value is reported, for rows without names and with groups that widen a column")
    func absent() {
        #expect(
            failures {
                scheduler.play(
                    .perform("(ab)-", ["a": 1, "b": 2]) { _ in },
                    .expect("-    a", of: Promise.value(1).delay(.seconds(5)), ["a": 1]))
            } == [
                """
                "expected" is not as expected at 1.0 seconds: expected a, but nothing came.

                    done:     (ab)-
                    expected: -   a
                    seen:     -   -
                                  ^

                Fix the code or the inputs of the test, or change the row to what was seen.
                """
            ])
    }

    @Test("a value without a character, and one between two ticks, are reported") func unknown() {
        #expect(
            failures {
                scheduler.play(
                    .expect("promise: --(a|)", of: Promise.value(7).delay(.milliseconds(1500)), ["a": 1]))
            } == [
                """
                "promise" is not as expected at 1.0 seconds: expected nothing, but (?|) came.

                    promise: --   (a|)
                    seen:    -(?|)-
                              ^

                ?: 7 (no character stands for it; it came at 1.5 seconds, between two ticks: a shorter tick has a \
                column for it)
                |: the end (it came at 1.5 seconds, between two ticks: a shorter tick has a column for it)

                Fix the code or the inputs of the test, or change the row to what was seen.
                """
            ])
    }

    @Test("a value between two ticks is not as expected, even in the right column")
    func betweenTicks() {
        let told = failures {
            scheduler.play(
                .expect("-#-", of: Promise.value(1).delay(.seconds(9)).timeout(.milliseconds(1200))))
        }
        #expect(
            told == [
                """
                "expected" is not as expected at 1.0 seconds: expected #, but # came.

                    expected: -#-
                    seen:     -#-
                               ^

                #: The promise did not settle within 1.2 seconds. (it came at 1.2 seconds, between two ticks: a \
                shorter tick has a column for it)

                Fix the code or the inputs of the test, or change the row to what was seen.
                """
            ])
    }

    @Test(
        "a row that cannot be parsed, and a character that the test does not define, are reported")
    func malformed() {
        let count = System<Int, Int>(initialState: 0, scheduler: scheduler) { .value($0 + $1) }
        #expect(
            failures {
                scheduler.play(
                    .send("  sent: a-b", to: count, ["a": 1]), .expect("seen: 1-(2", of: count.settled))
            } == [
                """
                A row cannot be read at its column 11: the test does not say what b stands for.

                      sent: a-b
                              ^

                A character is one tick: - is nothing, (ab) are several at one instant, | is the end, # is an error, and \
                every other stands for what the test says. Spaces take no time.
                """,
                """
                A row cannot be read at its column 9: the group that begins here is not closed.

                    seen: 1-(2
                            ^

                A character is one tick: - is nothing, (ab) are several at one instant, | is the end, # is an error, and \
                every other stands for what the test says. Spaces take no time.
                """,
            ])
        #expect(count.state == 0)
        #expect(
            failures { scheduler.play(.expect("x", of: count.settled, ["a": 1])) }.first?.hasPrefix(
                "A row cannot be read at its column 1: the test does not say what x stands for.") ?? false)
    }

    @Test("settling a stub without an open call, and a tick of zero length, are reported")
    func misuse() {
        let calls = Stub<Void, Int>("calls")
        #expect(
            failures { scheduler.play(.settle("-v", calls, ["v": 7])) }.first?.hasPrefix(
                "\"calls\" cannot be fulfilled: it was not called.") ?? false)
        #expect(
            failures { scheduler.play(tick: .zero) } == [
                "A tick of 0.0 seconds takes no time. Give play a longer one."
            ])
    }

    @Test("a failure is reported at the call of play, that of a stub as well") func place() {
        let calls = Stub<Void, Int>("calls")
        #expect(failingLines { scheduler.play(.expect("1", of: Promise.value(2))) } == [#line])
        #expect(failingLines { scheduler.play(.settle("v(", calls, ["v": 7])) } == [#line])
        #expect(failingLines { scheduler.play(.settle("#", calls, ["v": 7])) } == [#line])
    }
}
