internal import Synchronization

/// A part of some work: it ends once, and sends nothing afterwards.
@usableFromInline
final class EffectPart: Sendable {
    private let over = Atomic(false)
    private let onEnd: @Sendable ((any Error)?) -> Void

    init(_ onEnd: @escaping @Sendable ((any Error)?) -> Void) { self.onEnd = onEnd }

    @usableFromInline var isOver: Bool { over.load(ordering: .acquiring) }

    @usableFromInline
    func end(_ error: (any Error)?) {
        if !over.exchange(true, ordering: .acquiringAndReleasing) { onEnd(error) }
    }
}
