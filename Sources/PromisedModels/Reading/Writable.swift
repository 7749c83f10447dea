public import PromisedSystem

/// Declares a property of a state that others may write by a binding: `model.$count`.
///
/// ```swift
/// import PromisedModels
///
/// struct Form: Model {
///     struct State: Equatable { @Writable var name = "" }
///     let context: ModelContext<Form>
/// }
///
/// let form = Store<Form>(initialState: .init(), scheduler: .immediate)
/// form.model.$name.value = "Ada"
/// print(form.state.name)
/// ```
@propertyWrapper
public struct Writable<Value: Sendable>: Sendable {
    /// The value.
    public var wrappedValue: Value

    /// Creates the property with its first value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// The declaration itself, by which a model finds it.
    public var projectedValue: Writable {
        get { self }
        set { self = newValue }
    }
}

extension Writable: Equatable where Value: Equatable {}
extension Writable: Hashable where Value: Hashable {}

extension Writable: Encodable where Value: Encodable {
    /// Encodes the value alone.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Writable: Decodable where Value: Decodable {
    /// Decodes the value alone.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    }
}

// A nil is left out, as that of a plain property is. The synthesized code of a state prefers these methods.
extension KeyedEncodingContainer {
    /// Encodes the value, if there is one.
    public mutating func encode<Value: Encodable>(_ property: Writable<Value?>, forKey key: Key) throws {
        try encodeIfPresent(property.wrappedValue, forKey: key)
    }
}

extension KeyedDecodingContainer {
    /// Decodes the value; nil if the key is absent.
    public func decode<Value: Decodable>(_: Writable<Value?>.Type, forKey key: Key) throws -> Writable<Value?>
    {
        Writable(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }
}

extension Model {
    /// A binding to a property that is declared with ``Writable``. Setting it writes to the store at once, and
    /// `model.$count.value += 1` is one atomic step, as with ``StateView/value``; reading it inside of
    /// `withObservationTracking` tracks the property.
    public subscript<Value: Equatable & Sendable>(
        dynamicMember path: any WritableKeyPath<State, Writable<Value>> & Sendable
    ) -> EventBinding<Value> {
        EventBinding(
            read: {
                self[dynamicMember: path as any KeyPath<State, Writable<Value>> & Sendable].wrappedValue
            },
            send: { [state = context.state] value in state[dynamicMember: path].wrappedValue = value },
            owner: context.node)
    }

    /// A binding that reads a property, and calls a method to set it.
    ///
    /// - Parameters:
    ///   - path: The property.
    ///   - set: Called with a new value, synchronously on the thread that sets it.
    public func binding<Value: Equatable & Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, set: @escaping @Sendable (Value) -> Void
    ) -> EventBinding<Value> { EventBinding(read: { self[dynamicMember: path] }, send: set) }
}
