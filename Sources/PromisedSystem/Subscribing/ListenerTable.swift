/// Listeners in the order in which they are notified: by priority, and within one in order of arrival.
///
/// The types of their messages are unknown here, so that the table is compiled once: ``Subscribers`` is its typed form.
@usableFromInline
struct ListenerTable: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        let position: UInt64
        /// Nil after its removal, until the table is compacted.
        @usableFromInline var listener: (any AnyObject & Sendable)?
    }

    @usableFromInline private(set) var entries: ContiguousArray<Entry> = []
    /// The number of entries with a listener.
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
        let entry = Entry(position: UInt64(priority.rawValue) << 56 | added, listener: listener)
        let isLast = entries.last.map { $0.position < entry.position } ?? true
        entries.insert(entry, at: isLast ? entries.endIndex : place(of: entry.position))
        return entry.position
    }

    /// The place of the first entry that is not before a position.
    private func place(of position: UInt64) -> Int {
        var (low, high) = (entries.startIndex, entries.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Removes the listener at a position, by a binary search. Entries are moved only when half of them are empty, so
    /// that a removal moves one on average.
    ///
    /// Nothing is released under the owner's lock, as the caller retains the listener.
    ///
    /// - Returns: False if it is not in the table.
    mutating func remove(_ position: UInt64) -> Bool {
        let place = place(of: position)
        guard place < entries.endIndex, entries[place].position == position,
            entries[place].listener.take() != nil
        else { return false }
        count -= 1
        if entries.count > 2 * count + 8 { entries.removeAll { $0.listener == nil } }
        return true
    }

    /// Removes all listeners, and accepts no further ones.
    ///
    /// - Returns: The removed ones, to be notified of the end outside of the lock.
    mutating func close() -> ListenerTable {
        defer { (entries, count, isClosed) = ([], 0, true) }
        return self
    }
}
