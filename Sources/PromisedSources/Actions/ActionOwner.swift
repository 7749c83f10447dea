/// The identity of a source, shared by its actions, which do not retain the source.
final class ActionOwner: Sendable {
    weak let source: (any AnyObject & Sendable)?
    /// The name of the source's type.
    let name: String
    /// What identifies the source when it is created again; nil unless its actions can be decoded.
    let identifier: String?
    let log: ActionLog?

    init(_ source: some StateSource, _ log: ActionLog?) {
        (self.source, self.log) = (source, log)
        name = "\(type(of: source))"
        identifier = (source as? any DecodableActionSource)?.sourceIdentifier
    }
}
