/// One of the ways in which a call of the world may turn out; see ``World/call(_:_:file:line:)``.
public struct Outcome<Value: Sendable>: Sendable {
    enum Kind: Sendable {
        case result(@Sendable () throws -> Value)
        case report(@Sendable () -> Value)
        case never
    }

    let name: String
    let kind: Kind

    /// The call is answered with a value.
    public static func value(_ value: Value) -> Outcome { .result("\(value)") { value } }

    /// The call fails.
    public static func error(_ error: any Error) -> Outcome { .result("\(error)") { throw error } }

    /// The call is answered with what is found out when the answer comes: what happened in the meantime counts.
    ///
    /// - Parameters:
    ///   - name: What it is called in a script.
    ///   - answer: Gives the value, or throws the error. It may change a ``WorldVariable``.
    public static func result(_ name: String, _ answer: @escaping @Sendable () throws -> Value) -> Outcome {
        Outcome(name: name, kind: .result(answer))
    }

    /// The call is cancelled, and not by the system.
    public static var cancelled: Outcome { .result("cancelled") { throw CancellationError() } }

    /// The call is never answered. What waits for it waits for ever: unless something else ends it, nothing behind it
    /// has a turn.
    public static var never: Outcome { Outcome(name: "never", kind: .never) }

    /// The call reports an interim value, once, and goes on.
    public static func report(_ value: Value) -> Outcome {
        Outcome(name: "report \(value)", kind: .report { value })
    }
}
