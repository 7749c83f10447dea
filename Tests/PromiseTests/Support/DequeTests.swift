import Testing

import Promise
import TestSupport

@Suite struct DequeTests {
    @Test("Elements leave in the order in which they were added")
    func order() {
        var queue = Deque<Int>()
        #expect(queue.isEmpty)
        #expect(queue.popFirst() == nil)
        for number in 0..<5 { queue.append(number) }
        #expect(!queue.isEmpty)
        #expect((0..<5).map { _ in queue.popFirst() } == [0, 1, 2, 3, 4])
        #expect(queue.isEmpty)
        #expect(queue.popFirst() == nil)
    }

    @Test(
        "The order is kept while the deque grows, shrinks and never runs empty",
        arguments: [1, 7, 1023, 1024, 5000])
    func steady(waiting: Int) {
        var queue = Deque<Int>()
        for number in 0..<waiting { queue.append(number) }
        var wrong = 0
        for number in 0..<20_000 {
            queue.append(waiting + number)
            if queue.popFirst() != number { wrong += 1 }
        }
        #expect(wrong == 0)
        for number in 0..<waiting where queue.popFirst() != 20_000 + number { wrong += 1 }
        #expect(wrong == 0)
        #expect(queue.isEmpty)
    }

    @Test("Agrees with an array under random operations")
    func againstArray() {
        var random = SeededGenerator(seed: 7)
        var queue = Deque<Int>()
        var array: [Int] = []
        for number in 0..<20_000 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<52:
                queue.append(number)
                array.append(number)
            case 52..<99: #expect(queue.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
            default:
                queue.removeAll()
                array.removeAll()
            }
            #expect(queue.isEmpty == array.isEmpty)
        }
    }

    @Test("Removed elements are released at once")
    func releases() {
        let ended = Log()
        var queue = Deque<Witness>()
        for number in 0..<3 { queue.append(Witness { ended(number) }) }
        _ = queue.popFirst()
        #expect(ended.lines == ["0"])
        queue.removeAll()
        #expect(ended.lines == ["0", "1", "2"])
    }
}

/// An object that calls a closure when it is released.
private final class Witness: Sendable {
    private let onEnd: @Sendable () -> Void

    init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit { onEnd() }
}
