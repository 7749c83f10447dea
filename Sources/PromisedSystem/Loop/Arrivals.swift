public import Promise

/// What has arrived at a loop and was not looked at.
@usableFromInline
struct Arrivals<Message: Sendable>: Sendable {
    @usableFromInline var messages = FIFO<Message>()
    /// How many of them are more than an event that waits for its turn; while there are none, they can be taken one
    /// after the other.
    @usableFromInline var specials = 0

    @inlinable
    init() {}

    @inlinable var isEmpty: Bool { messages.isEmpty }

    @inlinable
    mutating func append(_ message: Message, isSpecial: Bool) {
        messages.append(message)
        if isSpecial { specials &+= 1 }
    }

    /// - Parameter isSpecial: Whether the first was said to be special.
    @inlinable
    mutating func popFirst(_ isSpecial: (Message) -> Bool) -> Message? {
        guard let message = messages.popFirst() else { return nil }
        if specials > 0, isSpecial(message) { specials &-= 1 }
        return message
    }

    @inlinable
    mutating func append(_ others: Arrivals) {
        guard !isEmpty else { return self = others }
        var others = others
        while let message = others.messages.popFirst() { messages.append(message) }
        specials &+= others.specials
    }
}
