internal import PromisedSystem

/// A model with a placeholder: something to show while its value is not there.
///
/// ```swift
/// import PromisedSources
///
/// let title = Fetchable<String>.fetching(.init()).addingPlaceholder("…")
/// print(title.fetched?.value ?? title.placeholder)
/// ```
///
/// The placeholder can be read in every case, and what the model has can be read through it.
@dynamicMemberLookup
public struct WithPlaceholder<Model: Sendable, Placeholder: Sendable>: Sendable {
    /// The model without the placeholder.
    public var model: Model
    /// Shown instead of a value.
    public var placeholder: Placeholder

    /// Creates a model with a placeholder.
    public init(_ model: Model, placeholder: Placeholder) {
        (self.model, self.placeholder) = (model, placeholder)
    }

    /// A part of the model.
    public subscript<Part>(dynamicMember part: KeyPath<Model, Part>) -> Part { model[keyPath: part] }

    /// The same with another placeholder.
    ///
    /// - Parameter transform: Called before this returns.
    public func mapPlaceholder<Other>(
        _ transform: (Placeholder) throws -> Other
    ) rethrows -> WithPlaceholder<Model, Other> {
        WithPlaceholder<Model, Other>(model, placeholder: try transform(placeholder))
    }
}

extension WithPlaceholder: Equatable where Model: Equatable, Placeholder: Equatable {}
extension WithPlaceholder: Hashable where Model: Hashable, Placeholder: Hashable {}

/// A value that is fetched, with a placeholder to show until then.
public typealias FetchableWithPlaceholder<Value: Sendable, Placeholder: Sendable> =
    WithPlaceholder<Fetchable<Value>, Placeholder>

/// A source that is connected on demand, with a placeholder to show until it is.
public typealias ConnectableWithPlaceholder<Value: Sendable, Placeholder: Sendable> =
    WithPlaceholder<Connectable<Value>, Placeholder>

extension Fetchable {
    /// This with a placeholder, which can be read in every case.
    public func addingPlaceholder<Placeholder>(
        _ placeholder: Placeholder
    ) -> FetchableWithPlaceholder<Value, Placeholder> { WithPlaceholder(self, placeholder: placeholder) }
}

extension Connectable {
    /// This with a placeholder, which can be read in every case.
    public func addingPlaceholder<Placeholder>(
        _ placeholder: Placeholder
    ) -> ConnectableWithPlaceholder<Value, Placeholder> { WithPlaceholder(self, placeholder: placeholder) }
}
