public import Promise

/// What has arrived at a loop and was not looked at.
@usableFromInline
struct Inbox<Message: Sendable>: Sendable {
    @usableFromInline var messages = Deque<Message>()
    /// How many of them are more than an event that waits for its turn; while there are none, they can be taken one
    /// after the other.
    @usableFromInline var urgentCount = 0

    @inlinable
    init() {}

    @inlinable var isEmpty: Bool { messages.isEmpty }

    @inlinable
    mutating func append(_ message: Message, isUrgent: Bool) {
        messages.append(message)
        if isUrgent { urgentCount &+= 1 }
    }

    /// - Parameter isSpecial: Whether the first was said to be special.
    @inlinable
    mutating func popFirst(_ isUrgent: (Message) -> Bool) -> Message? {
        guard let message = messages.popFirst() else { return nil }
        if urgentCount > 0, isUrgent(message) { urgentCount &-= 1 }
        return message
    }

    @inlinable
    mutating func append(_ others: Inbox) {
        guard !isEmpty else { return self = others }
        var others = others
        while let message = others.messages.popFirst() { messages.append(message) }
        urgentCount &+= others.urgentCount
    }
}
