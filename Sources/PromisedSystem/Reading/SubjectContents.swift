internal import Promise
internal import Synchronization

/// What a ``Subject`` stores, without the type of its value, so that it is compiled once.
@usableFromInline
struct SubjectContents: Sendable {
    /// Nil before the first value, and after it has closed.
    @usableFromInline var present: UntypedBox?
    /// Counts the values.
    @usableFromInline var version = 0
    @usableFromInline var table = ListenerTable()
    /// The notifications behind the one that is being delivered.
    @usableFromInline var pending = Deque<Notification>()
    /// Set at the end and by closing: no further value is published.
    @usableFromInline var isOver = false
    /// The subscriptions that feed it; cancelled, by their release, when it ends or closes.
    var upstream: [SubscriptionToken] = []
    var isBehind: (@Sendable () -> Bool)?

    /// A value, or nil for the end, with the listeners to notify of it.
    @usableFromInline typealias Notification = (listeners: ListenerTable.Snapshot, box: UntypedBox?)

    @usableFromInline
    init() {}

    /// Replaces the value.
    ///
    /// - Parameters:
    ///   - undelivered: Counts the notifications; incremented only here, under the lock.
    ///   - before: Set to the previous value, to be released outside of the lock.
    /// - Returns: The listeners, for the caller to notify; nil if there are none, or if another thread notifies them.
    mutating func store(
        _ box: consuming UntypedBox, _ undelivered: borrowing Atomic<Int>, _ before: inout UntypedBox?
    ) -> ListenerTable.Snapshot? {
        before = exchange(for: box)
        guard !table.isEmpty else { return nil }
        if undelivered.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 {
            return table.listeners
        }
        pending.append((table.listeners, present))
        return nil
    }

    /// Replaces the value.
    ///
    /// - Returns: The previous one, to be released outside of the lock.
    mutating func exchange(for box: consuming UntypedBox) -> UntypedBox? {
        version &+= 1
        let before = present.take()
        present = box
        return before
    }

    /// Ends it.
    ///
    /// - Returns: The listeners, for the caller to notify, nil if another thread notifies them; and the upstream
    ///   subscriptions, to be released outside of the lock.
    mutating func finish(_ undelivered: borrowing Atomic<Int>) -> (
        ListenerTable.Snapshot?, [SubscriptionToken]
    ) {
        guard !isOver else { return (nil, []) }
        let listeners = table.close()
        if undelivered.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 {
            return (listeners, end())
        }
        pending.append((listeners, nil))
        return (nil, end())
    }

    mutating func end() -> [SubscriptionToken] {
        isOver = true
        defer { upstream = [] }
        return upstream
    }
}
