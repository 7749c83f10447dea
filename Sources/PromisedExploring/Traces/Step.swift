/// A step of an exploration: something that may happen next to the system.
///
/// ```swift
/// import PromisedExploring
///
/// let script: [Step<String>] = [.send("save"), .answer("disk", "full"), .advance(by: .seconds(5))]
/// print(script[1])
/// ```
public enum Step<Event: Sendable>: Sendable, CustomStringConvertible {
    /// An event is sent.
    case send(Event)
    /// The open call with this label is answered with the outcome of this name. The label is the call's name; a further
    /// call of the same name has a number: `"save 2"`.
    case answer(String, String)
    /// The clock is advanced.
    case advance(by: Duration)
    /// The action of this name is performed. See ``World/action(_:_:)``.
    case action(String)

    /// The step as Swift source code.
    public var description: String {
        switch self {
        case .send(let event): ".send(\(SourceText(event)))"
        case .answer(let call, let outcome): ".answer(\(SourceText(call)), \(SourceText(outcome)))"
        case .advance(let duration): ".advance(by: \(SourceText(duration)))"
        case .action(let name): ".action(\(SourceText(name)))"
        }
    }
}

extension Step: Equatable where Event: Equatable {}
extension Step: Hashable where Event: Hashable {}
