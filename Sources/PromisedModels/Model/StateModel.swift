/// Declares in a state which model a part of it belongs to.
///
/// ```swift
/// import PromisedModels
///
/// struct Counter: Model {
///     struct State: Equatable { var count = 0 }
///     let context: ModelContext<Counter>
/// }
///
/// struct Page: Model {
///     struct State: Equatable { @StateModel<Counter> var likes = .init() }
///     let context: ModelContext<Page>
///     static let children: [Child<Page>] = [.of(\.$likes)]
/// }
///
/// let store = Store<Page>(initialState: .init(), scheduler: .immediate)
/// print(store.model.$likes.count)
/// ```
///
/// `page.$likes` is the model. A plain property, with `.one` in the list and ``Model/child(_:)`` to get
/// the model, does the same and is accessed faster.
@propertyWrapper
public struct StateModel<Models: StateModels>: Sendable {
    /// The state.
    public var wrappedValue: Models.RootState

    /// Creates the property with its first state.
    public init(wrappedValue: Models.RootState) { self.wrappedValue = wrappedValue }

    /// The declaration itself, by which a model finds it.
    public var projectedValue: StateModel {
        get { self }
        set { self = newValue }
    }
}

extension StateModel: Equatable where Models.RootState: Equatable {}
extension StateModel: Hashable where Models.RootState: Hashable {}

extension StateModel: Encodable where Models.RootState: Encodable {
    /// Encodes the state alone.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension StateModel: Decodable where Models.RootState: Decodable {
    /// Decodes the state alone.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Models.RootState.self)
    }
}

// A nil is left out, as that of a plain property is. The synthesized code of a state prefers these methods.
extension KeyedEncodingContainer {
    /// Encodes the state, if there is one.
    public mutating func encode<M: Model>(_ property: StateModel<M?>, forKey key: Key) throws
    where M.State: Encodable { try encodeIfPresent(property.wrappedValue, forKey: key) }
}

extension KeyedDecodingContainer {
    /// Decodes the state; nil if the key is absent.
    public func decode<M: Model>(_: StateModel<M?>.Type, forKey key: Key) throws -> StateModel<M?>
    where M.State: Decodable { StateModel(wrappedValue: try decodeIfPresent(M.State.self, forKey: key)) }
}

/// A subject of ``StateModel``: a model, an optional model, or an array of models.
public protocol StateModels: StoreRoot {
    /// The child at a place in a parent's state.
    static func child<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, RootState> & Sendable
    ) -> Child<Parent>
    /// The models at a place in a parent's state.
    static func models<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, RootState> & Sendable, of parent: Parent
    ) -> Self
}

extension Model {
    /// A child that is always there.
    public static func child<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, State> & Sendable
    ) -> Child<Parent> { .one(path, Self.self) }

    /// A child that exists while its state is not nil.
    public static func optionalChild<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, State?> & Sendable
    ) -> Child<Parent> { .optional(path, Self.self) }

    /// The child.
    public static func models<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, State> & Sendable, of parent: Parent
    ) -> Self { parent.child(path) }
}

extension Model where State: Identifiable {
    /// A child that is always there; if the identity of its state changes, it ends, and another begins.
    public static func child<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, State> & Sendable
    ) -> Child<Parent> { .one(path, Self.self) }

    /// A child that exists while its state is not nil; if the identity of that changes, it ends, and another begins.
    public static func optionalChild<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, State?> & Sendable
    ) -> Child<Parent> { .optional(path, Self.self) }
}

extension Optional: StateModels where Wrapped: Model {
    /// A child that exists while its state is not nil.
    public static func child<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, Wrapped.State?> & Sendable
    ) -> Child<Parent> { Wrapped.optionalChild(at: path) }

    /// The child, if there is one.
    public static func models<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, Wrapped.State?> & Sendable, of parent: Parent
    ) -> Wrapped? { parent.optionalChild(path) }
}

extension Array: StateModels where Element: Model, Element.State: Identifiable {
    /// A child for every element.
    public static func child<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, [Element.State]> & Sendable
    ) -> Child<Parent> { .each(path, Element.self) }

    /// The children, in order.
    public static func models<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, [Element.State]> & Sendable, of parent: Parent
    ) -> [Element] { parent.children(path) }
}

/// The path to the state of a declaration.
///
/// The cast adds what the compiler does not keep: a path that is joined of two that are `Sendable` is as well.
func statePath<Whole, Models>(
    _ path: any WritableKeyPath<Whole, StateModel<Models>> & Sendable
) -> any WritableKeyPath<Whole, Models.RootState> & Sendable {
    let state: WritableKeyPath<StateModel<Models>, Models.RootState> = \.wrappedValue
    let plain: WritableKeyPath<Whole, StateModel<Models>> = path
    let joined = plain.appending(path: state)
    return unsafeBitCast(joined, to: (any WritableKeyPath<Whole, Models.RootState> & Sendable).self)
}

extension Child {
    /// The child that is declared with ``StateModel``.
    ///
    /// - Parameter path: The projected value of the property, as `\.$rows`.
    public static func of<Models: StateModels>(
        _ path: any WritableKeyPath<Parent.State, StateModel<Models>> & Sendable
    ) -> Child { Models.child(at: statePath(path)) }
}

extension Model {
    /// The model or the models of a property that is declared with ``StateModel``.
    public subscript<Models: StateModels>(
        dynamicMember path: any WritableKeyPath<State, StateModel<Models>> & Sendable
    ) -> Models { Models.models(at: statePath(path), of: self) }
}
