/// The state of a modal presentation such as a sheet: presented, being dismissed, or dismissed.
///
/// It keeps its value while it is being dismissed, so that the view can be drawn until the animation has finished.
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
    /// Nothing is presented.
    case dismissed
    /// The value is presented and can be used.
    case presented(Value)
    /// The value is being dismissed: it is still drawn, but must not be used any more.
    case dismissing(Value)

    /// The value that can be used; nil as soon as the dismissal begins.
    public var item: Value? {
        if case .presented(let value) = self { value } else { nil }
    }

    /// The value to draw, until the animation has finished.
    public var drawn: Value? {
        switch self {
        case .dismissed: nil
        case .presented(let value), .dismissing(let value): value
        }
    }
}

extension Presentation: Equatable where Value: Equatable {}
extension Presentation: Hashable where Value: Hashable {}

/// The events of a ``Presentation``.
public enum PresentationEvent<Value: Sendable>: Sendable {
    /// Presents a value, replacing the current one, if any.
    case present(Value)
    /// Begins the dismissal; the value is kept until ``dismissed``.
    case dismiss
    /// Sent when the dismissal animation has finished; a no-op if a value was presented again meanwhile.
    case dismissed
}

extension PresentationEvent: Equatable where Value: Equatable {}
extension PresentationEvent: Hashable where Value: Hashable {}

extension Reducer {
    /// A reducer for a ``Presentation``: `dismiss` begins the dismissal, `dismissed` ends it.
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
    /// The case path to the presented value, for the scope of a feature that works in a ``Presentation``; it extracts
    /// nil as soon as the dismissal begins.
    public static func presented() -> CasePath where Root == Presentation<Value> {
        CasePath(
            embed: Presentation.presented, extract: { $0.item }, key: .property(\Presentation<Value>.item))
    }
}
