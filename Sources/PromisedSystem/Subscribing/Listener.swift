internal import Promise
public import Synchronization

/// A subscriber that receives messages one at a time and in order.
///
/// One thread at a time delivers: the owner of the loop or, to subscribers of a ``Subject``, the thread that notifies
/// them. So normally nothing is buffered and no lock is acquired. While the present state is delivered to a new
/// listener, on the thread that subscribed, messages that arrive meanwhile are buffered.
@usableFromInline
final class Listener<Message: Sendable>: Sendable {
    @usableFromInline let delivery: DeliveryPhase
    /// Whether `onEnd` is called when the listener is retired, too.
    private let endsWhenRetired: Bool
    @usableFromInline let body: @Sendable (Message) -> Void
    private let onEnd: @Sendable () -> Void

    init(_ body: @escaping @Sendable (Message) -> Void, onEnd: @escaping @Sendable () -> Void) {
        (self.body, self.onEnd, endsWhenRetired) = (body, onEnd, false)
        delivery = DeliveryPhase(.subscriber)
    }

    /// A listener that calls a callback. At the end and when it is retired, the callback is retired, which also stops
    /// calls in flight.
    ///
    /// - Parameter input: What the callback is called with; it is not called if that is nil.
    init<Input>(
        _ callback: Callback<Input>, _ priority: Priority, _ input: @escaping @Sendable (Message) -> Input?
    ) {
        body = { if let input = input($0) { callback.call(input) } }
        onEnd = { callback.retire() }
        endsWhenRetired = true
        delivery = DeliveryPhase(priority)
    }

    /// Whether nothing is delivered any more.
    @usableFromInline var isCancelled: Bool { delivery.isOver }

    // MARK: Subscribing

    /// Joins a list of subscribers, and delivers the present value if requested. Deferred until a running reducer has
    /// returned, as that may hold what this needs.
    ///
    /// - Parameters:
    ///   - replayCurrent: Whether the present value is delivered, synchronously.
    ///   - scheduler: Where the owner of the list delivers; nil if that is the thread that publishes a value.
    ///   - join: Adds the listener to the list. Returns the present value at that moment, and whether the end had
    ///     already been delivered; nil if it was cancelled meanwhile.
    func begin(
        replayCurrent: Bool, on scheduler: (any SerialScheduler)?,
        join: @escaping @Sendable (Listener) -> (present: @Sendable () -> Message, isOver: Bool)?
    ) {
        if replayCurrent { begin(.replaying) }
        ReducerScope.afterReducer { [self] in
            // The reducer that subscribed may have cancelled before it returned.
            guard !isCancelled, let (present, isOver) = join(self) else { return }
            if replayCurrent { replay(present(), on: scheduler) }
            if isOver { finish() }
        }
    }

    /// - Returns: False if the table is closed, so that it is not added.
    func add(to table: inout ListenerTable) -> Bool {
        guard let position = table.add(self, delivery.priority) else { return false }
        delivery.position.store(position, ordering: .relaxed)
        return true
    }

    /// - Returns: False if it is not in the table.
    func remove(from table: inout ListenerTable) -> Bool {
        table.remove(delivery.position.load(ordering: .relaxed)) {
            let standIn = Listener({ _ in }, onEnd: {})
            standIn.begin(.over)
            return standIn
        }
    }

    /// Sets the phase. Called before the listener is shared with other threads.
    func begin(_ phase: DeliveryPhase.Phase) { delivery.begin(phase) }

    // MARK: Delivering

    /// Delivers or buffers a message. Called by the one thread that delivers.
    @inlinable
    func deliver(_ message: Message) {
        if delivery.isLive { body(message) } else { keep(message) }
    }

    @usableFromInline
    func keep(_ message: Message) {
        if delivery.isOver { return }
        let isKept = delivery.keep { [self] in body(message) }
        if !isKept, delivery.isLive { body(message) }
    }

    /// Delivers the present state synchronously, and what was buffered meanwhile where the owner delivers.
    func replay(_ present: Message, on scheduler: (any SerialScheduler)?) {
        body(present)
        if delivery.transition(from: .replaying, to: .live) { return }
        let catchUp = { @Sendable [self] in delivery.deliverBuffered() }
        if let scheduler, !scheduler.isCurrent { scheduler.schedule(catchUp) } else { catchUp() }
    }

    /// Delivers the present state to a waiting listener, and every message from now on. Called by the owner of the
    /// loop.
    func join(_ present: @autoclosure () -> Message) {
        if delivery.transition(from: .waiting, to: .live) { body(present()) }
    }

    // MARK: Ending

    /// Cancels the listener: nothing is delivered any more, not even the rest of a delivery in progress.
    func retire() {
        _ = delivery.end()
        if endsWhenRetired { onEnd() }
    }

    /// Calls `onEnd`, after the present state if that is being delivered; no further message is delivered.
    ///
    /// - Parameter deliversBuffered: Whether messages buffered while the present state is delivered are delivered as
    ///   well.
    func finish(deliversBuffered: Bool = false) {
        if !delivery.keepEnd(keepsBuffered: deliversBuffered, { [self] in end() }) { end() }
    }

    private func end() { if delivery.end() { onEnd() } }
}

/// The order in which the subscribers of a system are notified.
enum Priority: Int {
    case binding, subscriber, callback
}

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
