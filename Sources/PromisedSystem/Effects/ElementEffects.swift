/// Under which number a registry keeps the work of a feedback, and of each element that it was lifted to.
///
/// For the owner of the loop.
@usableFromInline
final class ElementEffects {
    let number: Int
    /// The element that it is of, behind those that this is inside of; empty for a feedback's own.
    let path: [EffectKey]
    var elements: [EffectKey: ElementEffects] = [:]

    @usableFromInline
    init(_ number: Int, path: [EffectKey] = []) { (self.number, self.path) = (number, path) }
}

@available(*, unavailable)
extension ElementEffects: Sendable {}
