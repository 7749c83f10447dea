public import Synchronization

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

/// Listeners in the order in which they are notified: by priority, and within one in order of arrival.
///
/// The types of their messages are unknown here, so that the table is compiled once: ``Subscribers`` is its typed form.
@usableFromInline
struct ListenerTable: Sendable {
    // In arrays of their own: a notification needs no positions, and an element without an optional no reference counting.
    @usableFromInline typealias Snapshot = ContiguousArray<any AnyObject & Sendable>

    @usableFromInline private(set) var listeners: Snapshot = []
    /// The positions of the listeners, in ascending order.
    private var positions: ContiguousArray<UInt64> = []
    /// Stands in for removed listeners until the table is compacted.
    private var standIn: (any AnyObject & Sendable)?
    /// The number of listeners, without those that were removed.
    private(set) var count = 0
    private(set) var isClosed = false
    /// The number of listeners that were ever added.
    private var added: UInt64 = 0

    @usableFromInline
    init() {}

    @usableFromInline var isEmpty: Bool { count == 0 }

    /// Adds a listener, in constant time if none has a lower priority.
    ///
    /// - Returns: Its position, to remove it with; nil if the table is closed, so that nothing is added.
    mutating func add(_ listener: any AnyObject & Sendable, _ priority: Priority) -> UInt64? {
        guard !isClosed else { return nil }
        added &+= 1
        count += 1
        let position = UInt64(priority.rawValue) << 56 | added
        let isLast = positions.last.map { $0 < position } ?? true
        let place = isLast ? positions.endIndex : place(of: position)
        positions.insert(position, at: place)
        listeners.insert(listener, at: place)
        return position
    }

    /// The place of the first listener that is not before a position.
    private func place(of position: UInt64) -> Int {
        var (low, high) = (positions.startIndex, positions.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Removes the listener at a position, by a binary search. Others are moved only when half of them are stand-ins, so
    /// that a removal moves one on average.
    ///
    /// Nothing is released under the owner's lock, as the caller retains the listener.
    ///
    /// - Parameter makeStandIn: Makes a listener of the same type to which nothing is delivered.
    /// - Returns: False if it is not in the table.
    mutating func remove(_ position: UInt64, _ makeStandIn: () -> any AnyObject & Sendable) -> Bool {
        let place = place(of: position)
        guard place < positions.endIndex, positions[place] == position, listeners[place] !== standIn else {
            return false
        }
        let standIn = standIn ?? makeStandIn()
        (self.standIn, listeners[place]) = (standIn, standIn)
        count -= 1
        if listeners.count > 2 * count + 8 {
            let places = listeners.indices.filter { listeners[$0] !== standIn }
            positions = ContiguousArray(places.map { positions[$0] })
            listeners = Snapshot(places.map { listeners[$0] })
        }
        return true
    }

    /// Removes all listeners, and accepts no further ones.
    ///
    /// - Returns: The removed ones, to be notified of the end outside of the lock.
    mutating func close() -> Snapshot {
        defer { (listeners, positions, count, isClosed) = ([], [], 0, true) }
        return listeners
    }
}

/// The number of callbacks in several lists together.
@usableFromInline
final class Counter: Sendable {
    @usableFromInline let value = Atomic(0)

    init() {}

    /// Counts a probe, which is no subscriber: so few are subscribers that their number does not reach it.
    static let probe = 1 << 32

    func add(_ number: Int) { value.wrappingAdd(number, ordering: .acquiringAndReleasing) }

    @inlinable var isZero: Bool { value.load(ordering: .acquiring) == 0 }
    /// Whether anything is counted but a probe.
    @inlinable var hasSubscribers: Bool { UInt32(truncatingIfNeeded: value.load(ordering: .acquiring)) != 0 }
}
