/// Why a change of several values was not sent: it has one key twice.
public struct RepeatedKeyError: Error, Hashable, CustomStringConvertible {
    /// The key, as a text.
    public let key: String

    /// The mistake, and the remedy.
    public var description: String {
        "The change was not sent: it has the key \(key) twice. Give it one ValueChange, whose closures do both."
    }
}
