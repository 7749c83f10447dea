public import Promise

/// A queue of the messages that a loop has received and not handled yet.
@usableFromInline
struct Inbox<Message: Sendable>: Sendable {
    @usableFromInline var messages = Deque<Message>()
    /// How many of the messages are anything but an event with the policy `queue`. While it is 0, the messages can be
    /// dequeued as events, without asking the machine.
    @usableFromInline var urgentCount = 0

    @inlinable
    init() {}

    @inlinable var isEmpty: Bool { messages.isEmpty }

    @inlinable
    mutating func append(_ message: Message, isUrgent: Bool) {
        messages.append(message)
        if isUrgent { urgentCount &+= 1 }
    }

    /// - Parameter isUrgent: Whether a message was appended as urgent.
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
