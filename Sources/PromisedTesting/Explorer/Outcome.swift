/// One of the ways in which a call of the world may turn out; see ``World``.
public struct Outcome<Value: Sendable>: Sendable {
    @usableFromInline
    enum Kind: Sendable {
        case result(@Sendable () throws -> Value)
        case report(@Sendable () -> Value)
        case never
    }

    /// Looked at where a script is written.
    @usableFromInline let name: @Sendable () -> String
    @usableFromInline let kind: Kind

    @usableFromInline
    init(name: @escaping @Sendable () -> String, kind: Kind) { (self.name, self.kind) = (name, kind) }

    /// The call is answered with a value.
    ///
    /// - Parameter name: What it is called in a script; what the value prints unless given.
    @inlinable
    public static func value(_ value: Value, named name: String? = nil) -> Outcome {
        Outcome(name: { name ?? "\(value)" }, kind: .result { value })
    }

    /// The call fails.
    ///
    /// - Parameter name: What it is called in a script; what the error prints unless given.
    @inlinable
    public static func error(_ error: any Error, named name: String? = nil) -> Outcome {
        Outcome(name: { name ?? "\(error)" }, kind: .result { throw error })
    }

    /// The call is answered with what is found out when the answer comes: what happened in the meantime counts.
    ///
    /// - Parameters:
    ///   - name: What it is called in a script.
    ///   - answer: Gives the value, or throws the error. It may change a ``WorldVariable``.
    @inlinable
    public static func result(_ name: String, _ answer: @escaping @Sendable () throws -> Value) -> Outcome {
        Outcome(name: { name }, kind: .result(answer))
    }

    /// The call is cancelled, and not by the system.
    @inlinable public static var cancelled: Outcome { .result("cancelled") { throw CancellationError() } }

    /// The call is never answered. What waits for it waits for ever: unless something else ends it, nothing behind it
    /// has a turn.
    @inlinable public static var never: Outcome { Outcome(name: { "never" }, kind: .never) }

    /// The call reports an interim value, once, and goes on.
    @inlinable
    public static func report(_ value: Value) -> Outcome {
        Outcome(name: { "report \(value)" }, kind: .report { value })
    }
}
