/// Which models receive an event, seen from its sender. Sets can be combined; each model receives an event once.
public struct EventReceivers: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates a set of options from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The sender.
    public static let sender = EventReceivers(rawValue: 1)
    /// The model directly above.
    public static let parent = EventReceivers(rawValue: 2)
    /// All models above, the parent included.
    public static let ancestors = EventReceivers(rawValue: 4)
    /// The models directly below.
    public static let children = EventReceivers(rawValue: 8)
    /// All models below, the children included.
    public static let descendants = EventReceivers(rawValue: 16)
}
