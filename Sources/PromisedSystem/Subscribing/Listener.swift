internal import Promise
internal import Synchronization

/// A subscriber that receives messages one at a time and in order.
///
/// Only the owner of the loop delivers, or the operator that publishes, so normally nothing is buffered and no lock is
/// acquired. While the present state is delivered to a new listener, on the thread that subscribed, messages that
/// arrive meanwhile are buffered.
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

    /// Delivers or buffers a message. Called by the owner of the loop.
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
