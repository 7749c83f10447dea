/// The record of a call of an action.
public struct ActionCall: Sendable, CustomStringConvertible {
    /// The name of the source's type.
    public let source: String
    /// The name of the action: that of the property that declares it.
    public let action: String
    /// The input of the call.
    public let input: any Sendable
    /// Why the action was not executed; nil if it was.
    public let problem: ActionProblem?

    /// The call as one line.
    public var description: String {
        "\(source).\(action)(\(input is Void ? "" : "\(input)"))" + (problem.map { ": \($0)" } ?? "")
    }
}
