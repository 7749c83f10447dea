/// Something that may happen next to a system that is explored.
///
/// ```swift
/// import PromisedTesting
///
/// let script: [Step<String>] = [.send("save"), .answer("disk", "full"), .advance(by: .seconds(5))]
/// print(script[1])
/// ```
public enum Step<Event: Sendable>: Sendable, CustomStringConvertible {
    /// An event is sent.
    case send(Event)
    /// A call turns out in one of its ways, which both go by their names. Of several calls of one name that were begun,
    /// a number says which: `"save 2"`.
    case answer(String, String)
    /// Time passes.
    case advance(by: Duration)

    /// The step as one would write it.
    public var description: String {
        switch self {
        case .send(let event): ".send(\(SourceText(event)))"
        case .answer(let call, let outcome): ".answer(\(SourceText(call)), \(SourceText(outcome)))"
        case .advance(let duration): ".advance(by: \(SourceText(duration)))"
        }
    }
}

extension Step: Equatable where Event: Equatable {}
extension Step: Hashable where Event: Hashable {}
