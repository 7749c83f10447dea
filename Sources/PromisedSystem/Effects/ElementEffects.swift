/// The registry numbers of a feedback and of each element that it is lifted to.
///
/// Accessed only by the drain owner.
final class ElementEffects {
    let number: Int
    /// The keys of the enclosing elements and of this one, outermost first; empty for the feedback itself.
    let path: [EffectKey]
    var elements: [EffectKey: ElementEffects] = [:]

    init(_ number: Int, path: [EffectKey] = []) { (self.number, self.path) = (number, path) }
}

@available(*, unavailable)
extension ElementEffects: Sendable {}
