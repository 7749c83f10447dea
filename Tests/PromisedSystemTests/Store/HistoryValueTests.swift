import TestSupport
import Testing

@testable import PromisedSystem

@Suite(.ownThreads) struct HistoryValueTests {
    @Test(
        "A history holds the last states, whatever the limit",
        arguments: [0, 1, 2, 3, 63, 64, 65, 127, 128, 129, 1000])
    func limits(limit: Int) {
        var history = History<Int>(.last(limit))
        var expected: [Int] = []
        for number in 0..<400 {
            history.append(ValueBox(number))
            expected.append(number)
            if expected.count > limit { expected.removeFirst() }
            #expect(history.count == expected.count)
            #expect(history.first == expected.first)
            #expect(history.last == expected.last)
        }
        #expect(Array(history) == expected)
        #expect(history.indices.map { history[$0] } == expected)
        #expect(Array(history.reversed()) == expected.reversed())
        #expect(Array(history.suffix(2)) == expected.suffix(2))
    }

    @Test("none keeps nothing, unlimited keeps all, a negative limit keeps nothing")
    func extremes() {
        var none = History<Int>(.none)
        var all = History<Int>(.unlimited)
        var negative = History<Int>(.last(-3))
        for number in 0..<1000 {
            none.append(ValueBox(number))
            all.append(ValueBox(number))
            negative.append(ValueBox(number))
        }
        #expect(none.isEmpty)
        #expect(negative.isEmpty)
        #expect(Array(all) == Array(0..<1000))
    }

    @Test("Copies are independent")
    func copies() {
        var history = History<Int>(.last(100))
        var copies: [(History<Int>, [Int])] = []
        var expected: [Int] = []
        for number in 0..<300 {
            history.append(ValueBox(number))
            expected = (expected + [number]).suffix(100)
            if number % 17 == 0 { copies.append((history, expected)) }
        }
        for (copy, expected) in copies { #expect(Array(copy) == expected) }
    }

    @Test("An index out of range traps with a message")
    func outside() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let history = History<Int>(.unlimited)
            _ = history[0]
        }
        // The message is in debug builds only.
        if let text = result.map({ String(decoding: $0.standardErrorContent, as: UTF8.self) }), !text.isEmpty
        {
            #expect(text.contains("History has no state at 0") || !text.contains("Fatal error"))
        }
    }
}
