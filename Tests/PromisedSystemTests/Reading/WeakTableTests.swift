import TestSupport
import Testing

@testable import PromisedSystem

/// Objects by their keys, each for as long as it is retained elsewhere.
@Suite(.tags(.sharedState)) struct WeakTableTests {
    private final class Object: Sendable {}

    private struct Key: Hashable, Sendable {
        let number: Int
        let witness: Witness

        static func == (left: Key, right: Key) -> Bool { left.number == right.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    @Test("SA-61: the keys of released objects do not accumulate") func released() {
        let table = WeakTable<Key>()
        let gone = SharedCount()
        let kept = (0..<10).map { number in
            table.object(at: Key(number: number, witness: Witness { gone.add(1_000_000) })) { Object() }
        }
        for number in 10..<10_000 {
            _ = table.object(at: Key(number: number, witness: Witness { gone.add(1) })) { Object() }
        }
        #expect(gone.value >= 9_990 - 20)
        for (number, object) in kept.enumerated() {
            let found = table.object(at: Key(number: number, witness: Witness())) { Object() }
            #expect(found === object)
        }
    }

    @Test("SA-61: of two objects made for one key at the same time, one is kept for both") func madeTwice() {
        let table = WeakTable<Int>()
        var inner: Object?
        // Made while another is being made, as by another thread.
        let outer = table.object(at: 1) {
            inner = table.object(at: 1) { Object() }
            return Object()
        }
        #expect(outer === inner)
        #expect(table.object(at: 1) { Object() } === outer)
    }
}
