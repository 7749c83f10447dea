/// Under which number a registry keeps the work of a feedback, and of each element that it was lifted to.
///
/// For the owner of the loop.
@usableFromInline
final class EffectGroup {
    let number: Int
    var elements: [EffectKey: EffectGroup] = [:]

    @usableFromInline
    init(_ number: Int) { self.number = number }
}

@available(*, unavailable)
extension EffectGroup: Sendable {}
