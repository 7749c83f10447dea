import Promise
import Synchronization
import TestSupport
import Testing

extension Heavy {
    /// Starting races with cancelling, without other references to the promise.
    @Suite(.tags(.sharedState)) struct StartRaceTests {
        private static let live = Atomic(0)

        private final class Counted: Sendable {
            init() { StartRaceTests.live.wrappingAdd(1, ordering: .relaxed) }
            deinit { StartRaceTests.live.wrappingSubtract(1, ordering: .relaxed) }
        }

        enum Kind: CaseIterable { case seed, work, chain, nested }

        private static func promise(_ kind: Kind) -> Promise<Int> {
            let counted = Counted()
            switch kind {
            case .seed: return Promise.value(counted).map { _ in 1 }
            case .work, .nested:
                return Promise.value(1).map { value in withExtendedLifetime(counted) { value } }
            case .chain:
                let source = Promise<Int> { resolver in
                    withExtendedLifetime(counted) { resolver.onCancel {} }
                }
                return source.map { $0 }.map { $0 }.map { $0 }
            }
        }

        @Test(
            "R4, R6: starting against cancelling leaks nothing and uses nothing after its release",
            arguments: Kind.allCases)
        func startAgainstCancel(_ kind: Kind) {
            let count = rounds(500, stress: 5_000)
            let before = Self.live.load(ordering: .relaxed)
            let pairs = (0..<count).map { _ in
                let promise = Self.promise(kind)
                return (starter: Box(promise), canceller: Box(promise))
            }
            race(
                count,
                {
                    pairs[$0].starter.value?.done { _ in }
                    pairs[$0].starter.value = nil
                },
                { index in
                    let cancel: @Sendable () -> Void = {
                        if kind == .nested { pairs[index].canceller.value?.start() }
                        pairs[index].canceller.value?.cancel()
                        pairs[index].canceller.value = nil
                    }
                    if kind == .nested { Promise.value(()).done { cancel() } } else { cancel() }
                })
            #expect(Self.live.load(ordering: .relaxed) == before)
        }

        @Test("R6: a promise cancelled by its own transform in a nested trampoline outlives the transform")
        func cancelledInside() {
            let kept = Box<Promise<Int>>()
            let (source, resolver) = Promise<Int>.pending()
            do {
                let promise = source.map { value in
                    withNestedTrampoline {
                        kept.value?.cancel()
                        kept.value = nil
                    }
                    return value
                }
                kept.value = promise
                promise.start()
            }
            #expect(resolver.fulfill(1))
            #expect(kept.value == nil)
        }

        @Test("R6: starting a million times counts one interest") func startedOften() {
            let (source, resolver) = Promise<Int>.pending()
            let branch = source.map { $0 }
            branch.done { _ in }
            for _ in 0..<1_000_000 { source.start() }
            branch.cancel()
            #expect(!resolver.isCancelled)
            source.cancel()
            #expect(resolver.isCancelled)
        }
    }
}
