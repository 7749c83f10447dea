internal import Promise

/// Something that can be done now, as a value in a model: call it like a function.
///
/// ```swift
/// import PromisedSources
///
/// struct Quote: Sendable { let text: String, next: Action<Void> }
///
/// let preview = Quote(text: "…", next: .doNothing)
/// preview.next()
/// ```
///
/// A ``StateSource`` makes actions of its methods, with `StateSource.action(_:at:_:file:line:)`. Such an action is
/// executed only while the present model of its source offers it; called later, it does nothing, and that is recorded.
/// It does not retain its source.
///
/// Two actions are equal if they are the same action of the same source, whatever model they are in. Calling does not
/// wait: the method is executed before the call returns, on the calling thread.
@propertyWrapper
public struct Action<Input: Sendable>: Sendable {
    @usableFromInline let body: ActionBody<Input>

    @usableFromInline
    init(_ body: ActionBody<Input>) { self.body = body }

    @usableFromInline var identity: ActionIdentity { body.identity }

    /// The action itself, as a property wrapper needs it: `@Action` declares a property of a ``SourceOf``.
    public var wrappedValue: Action { self }

    /// The action that the property declares, of the source that has the property.
    public static subscript<Source: AnyObject & Sendable>(
        _enclosingInstance source: Source, wrapped _: KeyPath<Source, Action>,
        storage storage: KeyPath<Source, Action>
    ) -> Action {
        let declared = source[keyPath: storage]
        return declared.body.bind?(source) {
            // The storage of `x` is `_x`.
            "\(storage)".split(separator: ".").last.map { String($0.trimmingPrefix("_")) } ?? "\(storage)"
        } ?? declared
    }

    /// Creates an action of a closure, for tests: it can be called at any time.
    ///
    /// - Parameter body: Called with the input, on the thread of the call and before that returns. An error that it
    ///   throws is passed to `ifUnavailable`.
    public init(
        file: StaticString = #fileID, line: UInt = #line, _ body: @escaping @Sendable (Input) throws -> Void
    ) {
        self.init(
            ActionBody(.closure(ActionMark()), Origin(file, line)) { input in
                do {
                    try body(input)
                    return nil
                } catch { return .failed(error) }
            })
    }

    /// An action that does nothing, for previews and constant sources.
    public static var doNothing: Action { Action(ActionBody(.nothing, nil) { _ in nil }) }

    /// An action that must not be called, for a model that is not there yet: calling it is reported.
    public static var placeholder: Action { Action(ActionBody(.placeholder, nil) { _ in .placeholder }) }

    /// Executes the action, if it is available.
    ///
    /// - Parameters:
    ///   - input: Passed to the source's method.
    ///   - ifUnavailable: Called once, on this thread and before the call returns, if the action was not executed or
    ///     has failed. Returns whether the problem is to be recorded or reported as well; if nil, it is.
    @inlinable
    public func callAsFunction(
        _ input: Input, ifUnavailable: ((ActionProblem) -> Bool)? = nil
    ) {
        guard let problem = body.execute(input) else { return }
        if ifUnavailable?(problem) ?? true { body.report(problem, input) }
    }

    /// The action with another input, which is transformed when it is called.
    ///
    /// It is the same action for all else: equal, available and recorded like the original. It cannot be encoded.
    ///
    /// - Parameter transform: Called on the thread of each call, before the action is executed; and once more if a call
    ///   that was not executed is recorded.
    public func map<Other: Sendable>(_ transform: @escaping @Sendable (Other) -> Input) -> Action<Other> {
        let body = body
        return Action<Other>(
            ActionBody(identity, isMapped: true, report: { body.report($0, transform($1)) }) {
                body.execute(transform($0))
            })
    }
}

extension Action<Void> {
    /// Executes the action, if it is available.
    ///
    /// - Parameter ifUnavailable: As for an action with an input.
    @inlinable
    public func callAsFunction(ifUnavailable: ((ActionProblem) -> Bool)? = nil) {
        callAsFunction((), ifUnavailable: ifUnavailable)
    }
}

extension Action: Hashable {
    /// Whether both are the same action of the same source.
    @inlinable
    public static func == (left: Action, right: Action) -> Bool { left.identity == right.identity }
    /// Hashes the source and the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

extension Action: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The source, the name and the type of the input: `List.add(Int)`.
    public var description: String { "\(identity)(\(Input.self == Void.self ? "" : "\(Input.self)"))" }
    /// The description, with the word action.
    public var debugDescription: String { "Action \(description)" }
    /// Without children, so that a reflection of a model does not reach the source.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ActionIdentity: CustomStringConvertible {
    @usableFromInline var description: String {
        switch self {
        case .method(let owner, let name): "\(owner.name).\(name)"
        case .decoded(let link): "\(link.identifier).\(link.name)"
        case .closure: "closure"
        case .nothing: "doNothing"
        case .placeholder: "placeholder"
        }
    }
}
