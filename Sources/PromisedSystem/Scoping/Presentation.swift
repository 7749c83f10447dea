/// Something that is shown above the rest, as a sheet: there, on its way out, or not there.
///
/// While it is going away it keeps its last value, so that there is something to draw until the animation is over.
///
/// ```swift
/// let sheet = System<Presentation<String>, PresentationEvent<String>>(
///     initialState: .dismissed, scheduler: .immediate, reducer: .presentation())
/// sheet.sendEvent(.present("cart"))
/// sheet.sendEvent(.dismiss)
/// print(sheet.state.item ?? "nothing", sheet.state.drawn ?? "nothing")
/// sheet.sendEvent(.dismissed)
/// ```
public enum Presentation<Value: Sendable>: Sendable {
    /// Nothing is there.
    case dismissed
    /// It is there, and can be used.
    case presented(Value)
    /// It is on its way out: to be drawn, and not to be used any more.
    case dismissing(Value)

    /// What can be used; nil as soon as it is on its way out.
    public var item: Value? {
        if case .presented(let value) = self { value } else { nil }
    }

    /// What is drawn, to the end of the animation.
    public var drawn: Value? {
        switch self {
        case .dismissed: nil
        case .presented(let value), .dismissing(let value): value
        }
    }
}

extension Presentation: Equatable where Value: Equatable {}
extension Presentation: Hashable where Value: Hashable {}

/// What may happen to a ``Presentation``.
public enum PresentationEvent<Value: Sendable>: Sendable {
    /// It comes, in the place of what may be there.
    case present(Value)
    /// It is to go: it keeps its value until ``dismissed``.
    case dismiss
    /// The animation is over. Means nothing if it has been presented again meanwhile.
    case dismissed
}

extension PresentationEvent: Equatable where Value: Equatable {}

extension Reducer {
    /// The step of a ``Presentation`` by itself.
    public static func presentation<Value>() -> Reducer
    where State == Presentation<Value>, Event == PresentationEvent<Value> {
        Reducer { presentation, event in
            switch (event, presentation) {
            case (.present(let value), _): presentation = .presented(value)
            case (.dismiss, .presented(let value)): presentation = .dismissing(value)
            case (.dismissed, .dismissing): presentation = .dismissed
            case (.dismiss, _), (.dismissed, _): break
            }
        }
    }
}

extension CasePath {
    /// What is presented, while it can be used: for the scope of a feature that works in a ``Presentation``.
    public static func presented() -> CasePath where Root == Presentation<Value> {
        CasePath(
            embed: Presentation.presented, extract: { $0.item }, key: .property(\Presentation<Value>.item))
    }
}
