/// The registry numbers of a feedback and of each element that it is lifted to.
///
/// Accessed only by the owner of the loop.
final class ElementEffects {
    let number: Int
    /// The ids of the enclosing elements and of this one, outermost first; empty for the feedback itself.
    let ids: [EffectKey]
    /// Where it is: see ``SharedKeys/path(of:_:)``.
    let path: [EffectKey]
    var elements: [EffectKey: ElementEffects] = [:]

    init(_ number: Int, ids: [EffectKey] = [], path: [EffectKey]) {
        (self.number, self.ids, self.path) = (number, ids, path)
    }
}

@available(*, unavailable)
extension ElementEffects: Sendable {}
