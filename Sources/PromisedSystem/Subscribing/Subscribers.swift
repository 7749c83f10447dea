/// A list of listeners to messages of one type.
///
/// It is a value: its owner keeps it under a lock together with what the listeners are notified of, takes a copy under
/// the lock, and notifies that outside of it.
@usableFromInline
struct Subscribers<Message: Sendable>: Sendable {
    @usableFromInline var table: ListenerTable

    /// - Parameter table: Has only listeners to messages of this type.
    @inlinable
    init(_ table: ListenerTable = ListenerTable()) { self.table = table }

    @inlinable var isEmpty: Bool { table.isEmpty }

    var count: Int { table.count }

    /// - Returns: False if the list is closed, so that nothing is added.
    @discardableResult
    mutating func add(_ listener: Listener<Message>) -> Bool { listener.add(to: &table) }

    /// - Returns: False if it is not in the list.
    @discardableResult
    mutating func remove(_ listener: Listener<Message>) -> Bool { listener.remove(from: &table) }

    /// Removes all listeners, and accepts no further ones.
    ///
    /// - Returns: The removed ones, to be notified of the end outside of the lock.
    mutating func close() -> Subscribers { Subscribers(table.close()) }

    @inlinable
    func notify(_ message: Message) {
        for listener in listeners { listener.deliver(message) }
    }

    /// Notifies all listeners of the end.
    ///
    /// - Parameter deliversBuffered: Whether one that still receives the present value gets what was buffered first.
    @usableFromInline
    func finish(deliversBuffered: Bool = false) {
        for listener in listeners { listener.finish(deliversBuffered: deliversBuffered) }
    }

    // The whole array at once: with a cast of each element, each would be retained.
    /// The table's array, of references to listeners of this type only, which is not checked.
    @inlinable var listeners: ContiguousArray<Listener<Message>> {
        unsafeBitCast(table.listeners, to: ContiguousArray<Listener<Message>>.self)
    }
}
