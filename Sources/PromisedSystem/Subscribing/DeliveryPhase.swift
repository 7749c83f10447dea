internal import Promise
public import Synchronization

/// Whether a listener receives messages now, and what it receives later. The messages are closures here, so that this
/// is compiled once for all types of messages.
@usableFromInline
struct DeliveryPhase: ~Copyable, Sendable {
    /// Deliveries of what arrived while the present state is being delivered.
    typealias Buffer = ContiguousArray<@Sendable () -> Void>

    @usableFromInline
    enum Phase: UInt8, AtomicRepresentable, Sendable {
        /// Messages are delivered as they arrive.
        case live
        /// Messages are dropped until the owner delivers the state present then.
        case waiting
        /// The present state is being delivered; nothing has arrived meanwhile.
        case replaying
        /// The present state is being delivered, and messages are buffered. Becomes live only under the buffer's lock.
        case buffering
        /// Nothing is delivered any more.
        case over
    }

    @usableFromInline let phase = Atomic(Phase.live)
    /// Its place in its table, set and read under the lock of that.
    let position = Atomic<UInt64>(0)
    let priority: Priority
    private let lazyBuffer = LazyLock<Buffer>()

    init(_ priority: Priority) { self.priority = priority }

    @inlinable var isLive: Bool { phase.load(ordering: .acquiring) == .live }

    /// Whether nothing is delivered any more.
    @usableFromInline var isOver: Bool { phase.load(ordering: .acquiring) == .over }

    /// Sets the phase. Called before the listener is shared with other threads.
    func begin(_ phase: Phase) { self.phase.store(phase, ordering: .releasing) }

    // MARK: Transitions

    func transition(from before: Phase, to next: Phase) -> Bool {
        phase.compareExchange(expected: before, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    /// Calls `access` with the buffer, under its lock; returns nil unless the present state is being delivered.
    private func buffering<Result>(_ access: (inout Buffer) -> Result?) -> Result? {
        _ = transition(from: .replaying, to: .buffering)
        guard phase.load(ordering: .acquiring) == .buffering else { return nil }
        return lazyBuffer.lock([]).withLock { buffer in
            phase.load(ordering: .acquiring) == .buffering ? access(&buffer) : nil
        }
    }

    /// Buffers a delivery while the present state is being delivered.
    ///
    /// - Returns: False if it is not being delivered.
    func keep(_ delivery: @escaping @Sendable () -> Void) -> Bool {
        buffering { $0.append(delivery) } != nil
    }

    /// Buffers the end while the present state is being delivered.
    ///
    /// - Parameter keepsBuffered: Whether what is buffered is delivered before.
    /// - Returns: False if the present state is not being delivered.
    func keepEnd(keepsBuffered: Bool, _ end: @escaping @Sendable () -> Void) -> Bool {
        let before = buffering { buffer in
            defer { buffer = keepsBuffered ? buffer + [end] : [end] }
            return buffer
        }
        return before != nil
    }

    /// Delivers what was buffered. Called after the present state was delivered.
    func deliverBuffered() {
        while let deliveries = takeBuffered() { for deliver in deliveries where !isOver { deliver() } }
    }

    /// Empties the buffer, to be delivered and released outside of its lock. If it is empty, ends the buffering, and
    /// returns nil.
    private func takeBuffered() -> Buffer? {
        buffering { buffer in
            if buffer.isEmpty, transition(from: .buffering, to: .live) { return nil }
            defer { buffer = [] }
            return buffer
        }
    }

    /// Ends all deliveries.
    ///
    /// - Returns: False if they had ended before.
    func end() -> Bool {
        let before = phase.exchange(.over, ordering: .acquiringAndReleasing)
        if before == .buffering { lazyBuffer.ifUsed?.exchange(for: []) }
        return before != .over
    }
}
