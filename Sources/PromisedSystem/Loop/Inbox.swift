public import Promise

/// A queue of the messages that a loop has received and not handled yet.
@usableFromInline
struct Inbox<Message: Sendable>: Sendable {
    @usableFromInline var messages = Deque<Message>()
    /// How many of the messages are anything but an event with the policy `queue`. While it is 0, the messages can be
    /// dequeued as events, without asking the machine.
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

    @inlinable
    mutating func append(_ others: Inbox) {
        guard !isEmpty else { return self = others }
        var others = others
        while let message = others.messages.popFirst() { messages.append(message) }
        admissionCount &+= others.admissionCount
    }
}
