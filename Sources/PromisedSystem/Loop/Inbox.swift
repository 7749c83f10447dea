public import Promise

/// A queue of the messages that a loop has received and not handled yet.
@usableFromInline
struct Inbox<Message: Sendable>: Sendable {
    @usableFromInline var messages = Deque<Message>()
    /// The number of messages that are anything but an event with the policy `queue`. While it is 0, the messages are
    /// dequeued as events: to move each of them to another queue first takes twice the time of two busy senders.
    @usableFromInline var admissionCount = 0

    @inlinable
    init() {}

    @inlinable var isEmpty: Bool { messages.isEmpty }

    @inlinable
    mutating func append(_ message: Message, needsAdmission: Bool) {
        messages.append(message)
        if needsAdmission { admissionCount &+= 1 }
    }

    /// - Parameter needsAdmission: The value with which a message was appended.
    @inlinable
    mutating func popFirst(_ needsAdmission: (Message) -> Bool) -> Message? {
        guard let message = messages.popFirst() else { return nil }
        if admissionCount > 0, needsAdmission(message) { admissionCount &-= 1 }
        return message
    }

    /// Appends the messages of another inbox, which is empty then. Two that are empty keep their capacity.
    @inlinable
    mutating func take(_ other: inout Inbox) {
        if isEmpty { return swap(&self, &other) }
        while let message = other.messages.popFirst() { messages.append(message) }
        admissionCount &+= other.admissionCount
        other.admissionCount = 0
    }
}
