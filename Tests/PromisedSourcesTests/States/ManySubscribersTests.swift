import PromisedSources
import TestSupport
import Testing

/// One order for all, however many there are.
@Suite(.tags(.sharedState)) struct ManySubscribersTests {
    private final class Numbers: StateSource {
        let state = SourceState<Int>()
        var initialModel: Int { 0 }
    }

    /// Folds what it receives, in order.
    private final class Fold: Sendable {
        private let content = Threadsafe(wrappedValue: (count: 0, hash: 0))
        var result: (count: Int, hash: Int) { content.wrappedValue }
        func add(_ value: Int) {
            let (count, hash) = content.wrappedValue
            content.wrappedValue = (count + 1, hash &* 31 &+ value)
        }
    }

    @Test(
        "all subscribers receive all changes of eight threads in one order, while one sets and one unsubscribes another"
    )
    func oneOrder() async {
        let (count, changes) = (rounds(100, stress: 1_000), rounds(2_000, stress: 100_000))
        let (numbers, folds) = (Numbers(), (0..<count).map { _ in Fold() })
        let source = numbers.eraseToSource()
        let (half, victim) = (changes / 2, Fold())
        let victims = Threadsafe<SubscriptionToken?>(wrappedValue: nil)
        let received = Threadsafe(wrappedValue: 0)
        var tokens: [SubscriptionToken] = [
            source.subscribe(replayCurrent: false) { [weak numbers] value in
                received.wrappedValue += 1
                guard received.wrappedValue == half else { return }
                victims.wrappedValue?.cancel()
                numbers?.model = -1
            }
        ]
        victims.wrappedValue = source.subscribe(replayCurrent: false) { victim.add($0) }
        for fold in folds { tokens.append(source.subscribe(replayCurrent: false) { fold.add($0) }) }
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask { for step in 0..<changes / 8 { numbers.model = thread * changes + step } }
            }
        }
        #expect(received.wrappedValue == changes / 8 * 8 + 1)
        #expect(Set(folds.map(\.result.count)) == [changes / 8 * 8 + 1])
        #expect(Set(folds.map(\.result.hash)).count == 1)
        // Unsubscribed before its turn.
        #expect(victim.result.count == half - 1)
        withExtendedLifetime(tokens) {}
    }
}
