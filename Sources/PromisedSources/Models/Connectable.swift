/// A value that exists while it is connected, such as that of a source which is costly to have.
///
/// ```swift
/// import PromisedSources
///
/// let prices = ConnectableSource { Source.constant(3) }.eraseToSource()
/// prices.value.disconnected?.connect()
/// print(prices.value.connected?.value ?? 0)
/// ```
public enum Connectable<Value: Sendable>: Sendable {
    case disconnected(Disconnected)
    case connected(Connected)

    /// There is no value, and nothing is done for one.
    public struct Disconnected: Sendable {
        /// Connects.
        public var connect: Action<Void>

        /// Creates the case without a value.
        public init(connect: Action<Void>) { self.connect = connect }
    }

    /// The value exists, and is kept up to date.
    @dynamicMemberLookup
    public struct Connected: Sendable {
        /// The present value.
        public var value: Value
        /// Disconnects, which releases what it is connected to.
        public var disconnect: Action<Void>

        /// Creates the case with a value.
        public init(_ value: Value, disconnect: Action<Void>) {
            (self.value, self.disconnect) = (value, disconnect)
        }

        /// A part of the value.
        public subscript<Part>(dynamicMember part: KeyPath<Value, Part>) -> Part { value[keyPath: part] }
    }

    /// The actions without a value; nil if it is connected.
    public var disconnected: Disconnected? {
        if case .disconnected(let disconnected) = self { disconnected } else { nil }
    }
    /// The value and its actions; nil if it is not connected.
    public var connected: Connected? { if case .connected(let connected) = self { connected } else { nil } }

    /// The same with another value. The actions stay.
    ///
    /// - Parameter transform: Called before this returns, if there is a value.
    public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Connectable<Other> {
        switch self {
        case .disconnected(let disconnected): .disconnected(.init(connect: disconnected.connect))
        case .connected(let connected):
            .connected(.init(try transform(connected.value), disconnect: connected.disconnect))
        }
    }
}

// Actions make no difference.
extension Connectable: Equatable where Value: Equatable {}

extension Connectable.Disconnected: Equatable {
    /// True: the action makes no difference.
    public static func == (_: Self, _: Self) -> Bool { true }
}

extension Connectable.Connected: Equatable where Value: Equatable {
    /// Compares the values.
    public static func == (left: Self, right: Self) -> Bool { left.value == right.value }
}
