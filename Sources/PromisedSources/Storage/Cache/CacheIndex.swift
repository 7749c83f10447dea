internal import Foundation

/// The contents of a cache, and the order in which it drops them: expired values before others, lower priorities before
/// higher ones, older values before newer ones.
///
/// A value is added and dropped in time proportional to the logarithm of their number.
struct CacheIndex<Name: Hashable & Sendable>: Sendable {
    struct CacheItem: Sendable {
        let size: Int
        let priority: CachePriority
        /// When the value expires; nil for never.
        let deadline: Date?
        /// Counts all values that were added.
        let number: Int
    }

    private struct Total: Sendable { var count = 0, size = 0 }

    private(set) var items: [Name: CacheItem] = [:]
    private(set) var totalSize = 0
    private var totals: [CachePriority: Total] = [:]
    private(set) var options: CacheOptions
    private var lastNumber = 0
    /// All values that may be dropped, and those that have expired. Entries of removed values are skipped.
    private var all = DropQueue<Name>()
    private var expired = DropQueue<Name>()
    /// The values that will expire, by their deadlines.
    private var deadlines = DropQueue<Name>()
    /// Up to when values were moved from there to the expired ones.
    private var lastDate = Date.distantPast

    init(_ options: CacheOptions) { self.options = options }

    /// Adds or replaces a value.
    ///
    /// - Returns: The names of the values that are dropped for it, in order; it may be one of them.
    mutating func add(
        _ name: Name, size: Int, priority: CachePriority, deadline: Date?, at now: Date
    ) -> [Name] {
        remove(name)
        // Nothing is dropped for what does not fit in at all.
        if priority != .discardNever, !fits(count: 1, size: size) { return [name] }
        lastNumber += 1
        items[name] = CacheItem(size: size, priority: priority, deadline: deadline, number: lastNumber)
        count(1, size, priority)
        enqueue(name)
        if all.count + deadlines.count > 4 * items.count + 64 { enqueueAll() }
        return shrink(at: now)
    }

    /// Whether a value would be kept that is added now, when all is dropped that is dropped before it.
    func keeps(size: Int, _ priority: CachePriority, at now: Date) -> Bool {
        let above = totals.filter { $0.key > priority }.values
        let (count, sum) = (above.reduce(1) { $0 + $1.count }, above.reduce(size) { $0 + $1.size })
        if priority == .discardNever || fits(count: count, size: sum) { return true }
        let rest = items.values.filter {
            $0.priority > priority && ($0.priority == .discardNever || !$0.isExpired(now))
        }
        return fits(count: rest.count + 1, size: rest.reduce(size) { $0 + $1.size })
    }

    mutating func remove(_ name: Name) {
        if let item = items.removeValue(forKey: name) { count(-1, -item.size, item.priority) }
    }

    private mutating func count(_ change: Int, _ size: Int, _ priority: CachePriority) {
        totalSize += size
        totals[priority, default: Total()].count += change
        totals[priority, default: Total()].size += size
    }

    /// - Returns: The names of the values that are dropped because they do not fit in any more, in order.
    mutating func limit(to options: CacheOptions, at now: Date) -> [Name] {
        self.options = options
        return shrink(at: now)
    }

    /// Drops the expired values and those of low priority.
    ///
    /// - Returns: Their names, in order.
    mutating func reduce(at now: Date) -> [Name] {
        let names = items.filter { $0.value.isExpired(now) || $0.value.priority == .low }.map(\.key)
        return drop(names.filter { items[$0]?.priority != .discardNever }.sorted { comesBefore($0, $1, now) })
    }

    private mutating func shrink(at now: Date) -> [Name] {
        var dropped: [Name] = []
        while !fits(), let name = next(at: now) { dropped += drop([name]) }
        return dropped
    }

    /// The name of the value that is dropped next.
    private mutating func next(at now: Date) -> Name? {
        // The date was changed: expired values may be valid again.
        if now < lastDate { enqueueAll() }
        lastDate = now
        while let entry = deadlines.first, entry.deadline <= now {
            _ = deadlines.popFirst()
            if items[entry.name]?.number == entry.number {
                expired.insert(.init(name: entry.name, priority: entry.priority, number: entry.number))
            }
        }
        let isPresent = { [items] (entry: DropQueue<Name>.DropCandidate) in
            items[entry.name]?.number == entry.number
        }
        return (expired.popFirst(where: isPresent) ?? all.popFirst(where: isPresent))?.name
    }

    private mutating func enqueue(_ name: Name) {
        guard let item = items[name], item.priority != .discardNever else { return }
        let priority = item.priority.rawValue
        all.insert(.init(name: name, priority: priority, number: item.number))
        if let deadline = item.deadline {
            deadlines.insert(.init(name: name, deadline: deadline, priority: priority, number: item.number))
        }
    }

    private mutating func enqueueAll() {
        (all, expired, deadlines) = (DropQueue(), DropQueue(), DropQueue())
        for name in items.keys { enqueue(name) }
    }

    private mutating func drop(_ names: [Name]) -> [Name] {
        for name in names { remove(name) }
        return names
    }

    private func comesBefore(_ left: Name, _ right: Name, _ now: Date) -> Bool {
        guard let left = items[left], let right = items[right] else { return false }
        return left.rank(now) < right.rank(now)
    }

    private func fits() -> Bool { fits(count: items.count, size: totalSize) }

    private func fits(count: Int, size: Int) -> Bool {
        count <= options.maximumCount ?? .max && size <= options.maximumSize ?? .max
    }
}

extension CacheIndex.CacheItem {
    func isExpired(_ now: Date) -> Bool { deadline.map { $0 <= now } ?? false }

    /// The item of the lowest rank is dropped first.
    func rank(_ now: Date) -> (Int, Int, Int) { (isExpired(now) ? 0 : 1, priority.rawValue, number) }
}
