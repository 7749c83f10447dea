internal import Promise
public import Synchronization

/// A subscriber that receives messages one at a time and in order.
///
/// Only the owner of the loop delivers, or the operator that publishes, so normally nothing is buffered and no lock is acquired. While the present
/// state is delivered to a new listener, on the thread that subscribed, messages that arrive meanwhile are buffered.
@usableFromInline
final class Listener<Message: Sendable>: Sendable {
    /// Needed only if messages arrive while the present state is being delivered.
    private struct Buffer: Sendable {
        var messages = Deque<Message>()
        var isOver = false
    }

    @usableFromInline
    enum Phase: UInt8, AtomicRepresentable, Sendable {
        /// Messages are delivered as they arrive.
        case live
        /// The present state is being delivered; nothing has arrived meanwhile.
        case replaying
        /// The present state is being delivered, and messages are buffered; left only under the buffer's lock, or by
        /// ``Listener/retire()``.
        case buffering
        /// Nothing is delivered any more.
        case over
    }

    @usableFromInline let phase = Atomic(Phase.live)
    private let lazyBuffer = LazyLock<Buffer>()
    @usableFromInline let body: @Sendable (Message) -> Void
    let priority: Priority
    private let onEnd: @Sendable () -> Void

    init(
        _ body: @escaping @Sendable (Message) -> Void, _ priority: Priority = .subscriber,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        (self.body, self.priority, self.onEnd) = (body, priority, onEnd)
    }

    private var buffer: Lock<Buffer> { lazyBuffer.lock(Buffer()) }

    private func transition(from before: Phase, to next: Phase) -> Bool {
        phase.compareExchange(expected: before, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    /// Whether nothing is delivered any more.
    @usableFromInline var isCancelled: Bool { phase.load(ordering: .acquiring) == .over }

    /// Delivers or buffers a message. Called by the owner of the loop.
    @inlinable
    func deliver(_ message: Message) {
        if phase.load(ordering: .acquiring) == .live { body(message) } else { keep(message) }
    }

    /// Buffers messages from now on, until ``replay(_:on:)`` or ``join(_:)``. Called before the listener is shared
    /// with other threads.
    func beginReplay() { phase.store(.replaying, ordering: .releasing) }

    @usableFromInline
    func keep(_ message: Message) {
        _ = transition(from: .replaying, to: .buffering)
        guard phase.load(ordering: .acquiring) == .buffering else { return notifyIfLive(message) }
        let isKept = buffer.withLock { buffer in
            let isKeeping = phase.load(ordering: .acquiring) == .buffering
            if isKeeping { buffer.messages.append(message) }
            return isKeeping
        }
        if !isKept { notifyIfLive(message) }
    }

    private func notifyIfLive(_ message: Message) {
        if phase.load(ordering: .acquiring) == .live { body(message) }
    }

    /// Delivers the present state synchronously, and what was buffered meanwhile where the owner delivers.
    func replay(_ present: Message, on scheduler: (any SerialScheduler)?) {
        body(present)
        if becomesLive() { return }
        let catchUp = { @Sendable [self] in while !becomesLive() { notifyBuffered() } }
        if let scheduler, !scheduler.isCurrent { scheduler.schedule(catchUp) } else { catchUp() }
    }

    /// Delivers a state in place of what was buffered since ``beginReplay()``, and every message from now on. Called by the
    /// owner of the loop.
    func join(_ present: Message) {
        guard !transition(from: .replaying, to: .live) else { return body(present) }
        guard phase.load(ordering: .acquiring) == .buffering else { return }
        let (isLive, messages) = buffer.withLock { buffer in
            defer { buffer.messages = Deque() }
            return (!buffer.isOver && transition(from: .buffering, to: .live), buffer.messages)
        }
        withExtendedLifetime(messages) {}
        if isLive { body(present) }
    }

    /// Ends the buffering if the buffer is empty; calls `onEnd` if the end came meanwhile.
    ///
    /// - Returns: False if messages are buffered, which have to be delivered first.
    private func becomesLive() -> Bool {
        if transition(from: .replaying, to: .live) { return true }
        guard phase.load(ordering: .acquiring) == .buffering else { return true }
        let (isDone, isOver) = buffer.withLock { buffer in
            guard buffer.messages.isEmpty else { return (false, false) }
            return (true, transition(from: .buffering, to: buffer.isOver ? .over : .live) && buffer.isOver)
        }
        if isOver { onEnd() }
        return isDone
    }

    private func notifyBuffered() {
        var messages = buffer.withLock { buffer in
            defer { buffer.messages = Deque() }
            return buffer.messages
        }
        while let message = messages.popFirst(), !isCancelled { body(message) }
    }

    /// Cancels the listener: nothing is delivered any more, not even the rest of a delivery in progress, and `onEnd` is
    /// not called.
    @usableFromInline
    func retire() {
        let before = phase.exchange(.over, ordering: .acquiringAndReleasing)
        if before == .buffering { dropBuffered() }
    }

    private func dropBuffered() {
        let messages = buffer.withLock { buffer in
            defer { buffer.messages = Deque() }
            return buffer.messages
        }
        // Must not be released under the lock.
        withExtendedLifetime(messages) {}
    }

    /// Calls `onEnd`, after the present state if that is being delivered; no further message is delivered.
    ///
    /// - Parameter deliversBuffered: Whether messages buffered while the present state is delivered are delivered as well.
    func finish(deliversBuffered: Bool = false) {
        while !isCancelled {
            if transition(from: .live, to: .over) { return onEnd() }
            _ = transition(from: .replaying, to: .buffering)
            if phase.load(ordering: .acquiring) == .buffering, let dropped = finishLater(deliversBuffered) {
                return withExtendedLifetime(dropped) {}
            }
        }
    }

    /// Leaves the end to the thread that delivers the present state.
    ///
    /// - Returns: The discarded messages, to be released outside of the lock; nil if no thread delivers the present
    ///   state any more, so that the caller has to try again.
    private func finishLater(_ deliversBuffered: Bool) -> Deque<Message>? {
        buffer.withLock { buffer in
            guard phase.load(ordering: .acquiring) == .buffering else { return nil }
            buffer.isOver = true
            guard !deliversBuffered else { return Deque() }
            defer { buffer.messages = Deque() }
            return buffer.messages
        }
    }
}
