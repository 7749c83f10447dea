public import PromisedSystem

/// A value with an action to set it.
///
/// ```swift
/// import PromisedSources
///
/// let volume = MutableSource(1).eraseToSource()
/// volume.value.set(2)
/// print(volume.value.value)
/// ```
@dynamicMemberLookup
public struct Mutable<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// Sets the value.
    public var set: Action<Value>

    /// Creates a value with an action to set it.
    public init(_ value: Value, set: Action<Value>) { (self.value, self.set) = (value, set) }

    /// A part of the value.
    public subscript<Part>(dynamicMember part: KeyPath<Value, Part>) -> Part { value[keyPath: part] }
}

extension Mutable: Equatable where Value: Equatable {
    /// Compares the values.
    public static func == (left: Self, right: Self) -> Bool { left.value == right.value }
}

extension Mutable: Hashable where Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// A source of a value that everybody who has the source may set.
public final class MutableSource<Value: Sendable>: StateSource {
    /// The state of the source.
    public let state: SourceState<Mutable<Value>>
    private let initial: Value

    /// - Parameters:
    ///   - value: The first value.
    ///   - log: Records the calls of its action.
    public init(_ value: Value, log: ActionLog? = nil) { (initial, state) = (value, SourceState(log: log)) }

    /// The first value.
    public var initialModel: Mutable<Value> { Mutable(initial, set: setAction) }

    private var setAction: Action<Value> { action(MutableSource.set, at: { $0.set }, "set") }
    private func set(_ value: Value) { model = Mutable(value, set: setAction) }
}

extension Source {
    /// The value without the action to set it.
    public func nonmutating<Part: Sendable>() -> Source<Part> where Value == Mutable<Part> {
        map { $0.value }
    }
}
