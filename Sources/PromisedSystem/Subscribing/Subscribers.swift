/// A list of listeners to messages of one type.
///
/// It is a value: its owner keeps it under a lock together with the latest message, takes a ``snapshot`` under the lock,
/// and notifies that outside of it.
@usableFromInline
struct Subscribers<Message: Sendable>: Sendable {
    @usableFromInline var table = ListenerTable()

    @usableFromInline
    init() {}

    @inlinable var isEmpty: Bool { table.isEmpty }

    var count: Int { table.count }

    /// The listeners at this moment.
    @inlinable var snapshot: Listeners<Message> { Listeners(table.listeners) }

    /// - Returns: False if the list is closed, so that nothing is added.
    @discardableResult
    mutating func add(_ listener: Listener<Message>) -> Bool { listener.add(to: &table) }

    /// - Returns: False if it is not in the list.
    @discardableResult
    mutating func remove(_ listener: Listener<Message>) -> Bool { listener.remove(from: &table) }

    /// Removes all listeners, and accepts no further ones.
    ///
    /// - Returns: The removed ones, to be notified of the end outside of the lock.
    mutating func close() -> Listeners<Message> { Listeners(table.close()) }
}

/// The listeners in a table at one moment, in the order in which they are notified.
@usableFromInline
struct Listeners<Message: Sendable>: Sendable {
    @usableFromInline let all: ContiguousArray<Listener<Message>>

    /// - Parameter listeners: References to listeners of this type only, which is not checked.
    // The whole array at once: with a cast of each element, each would be retained.
    @inlinable
    init(_ listeners: ListenerTable.Snapshot = []) {
        all = unsafeBitCast(listeners, to: ContiguousArray<Listener<Message>>.self)
    }

    @inlinable var isEmpty: Bool { all.isEmpty }

    @inlinable
    func notify(_ message: Message) {
        for listener in all { listener.deliver(message) }
    }

    /// Notifies all listeners of the end.
    ///
    /// - Parameter deliversBuffered: Whether one that still receives the present value gets what was buffered first.
    @usableFromInline
    func finish(deliversBuffered: Bool = false) {
        for listener in all { listener.finish(deliversBuffered: deliversBuffered) }
    }
}
