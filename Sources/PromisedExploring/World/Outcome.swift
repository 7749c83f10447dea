/// One of the ways in which a call of the ``World`` may turn out.
public struct Outcome<Value: Sendable>: Sendable {
    @usableFromInline
    enum OutcomeKind: Sendable {
        case result(@Sendable () throws -> Value)
        case report(@Sendable () -> Value)
        case never
    }

    /// Evaluated only where a script or a diagram is written.
    @usableFromInline let name: @Sendable () -> String
    @usableFromInline let kind: OutcomeKind

    @usableFromInline
    init(name: @escaping @Sendable () -> String, kind: OutcomeKind) { (self.name, self.kind) = (name, kind) }

    /// The call is fulfilled with a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name in scripts. If nil, a short text of the value that stays the same when its type gets a
    ///     further property: a number, a text, the name of an enum's case, or else the name of the type.
    @inlinable
    public static func value(_ value: Value, named name: String? = nil) -> Outcome {
        Outcome(name: { name ?? ShortText(value).description }, kind: .result { value })
    }

    /// The call is rejected with an error.
    ///
    /// - Parameter name: The name in scripts. If nil, a short text of the error, as for a value.
    @inlinable
    public static func error(_ error: any Error, named name: String? = nil) -> Outcome {
        Outcome(name: { name ?? ShortText(error).description }, kind: .result { throw error })
    }

    /// The call is answered with what a closure returns or throws. The closure runs when the call is answered, so it
    /// sees what happened since the call was made.
    ///
    /// - Parameters:
    ///   - name: The name in scripts.
    ///   - answer: Returns the value, or throws the error. It may change a ``WorldVariable``.
    @inlinable
    public static func result(_ name: String, _ answer: @escaping @Sendable () throws -> Value) -> Outcome {
        Outcome(name: { name }, kind: .result(answer))
    }

    /// The call is cancelled from outside, not by the system: it fails with a `CancellationError`.
    @inlinable public static var cancelled: Outcome { .result("cancelled") { throw CancellationError() } }

    /// The call is never answered. What awaits it stays pending unless something else ends it, such as a time limit,
    /// and while a transition awaits it, no further event of the queue is processed.
    @inlinable public static var never: Outcome { Outcome(name: { "never" }, kind: .never) }

    /// The call reports an interim value, once, and stays open for its other outcomes.
    @inlinable
    public static func report(_ value: Value) -> Outcome {
        Outcome(name: { "report \(ShortText(value))" }, kind: .report { value })
    }
}
