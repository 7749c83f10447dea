internal import Promise
internal import PromisedSystem

/// An event on its way, with what was known of its sender when it was sent: by the time it is received, the sender may
/// have moved, or be gone.
struct SentEvent: Sendable {
    let event: any Sendable
    let sender: AnyNode
    /// The nodes above the sender, from below.
    let above: [AnyNode]
    /// The part of the parent's state that the sender is found in.
    let path: PathPart?
    /// Whether it is received by a node below its sender.
    var isGoingDown = false

    /// Whether a node has sent it, or one below that.
    func isFrom(_ node: AnyNode) -> Bool { sender === node || above.contains { $0 === node } }
}

/// One that listens to events at a node.
final class EventListener: Sendable {
    /// Passes an event on if it is one of those that are listened to.
    ///
    /// - Returns: Whether it is.
    let receive: @Sendable (SentEvent) -> Bool
    /// Whether an event that it has received goes no further up.
    let isConsuming: Bool
    let end: @Sendable () -> Void

    init(
        isConsuming: Bool, _ receive: @escaping @Sendable (SentEvent) -> Bool,
        end: @escaping @Sendable () -> Void
    ) {
        (self.receive, self.isConsuming, self.end) = (receive, isConsuming, end)
    }
}

extension AnyNode {
    /// The nodes that receive an event, in the order in which they do: from here up, then from here down.
    private func receivers(_ receivers: EventReceivers, _ above: [AnyNode]) -> (
        up: [AnyNode], down: [AnyNode]
    ) {
        var up: [AnyNode] = receivers.contains(.sender) ? [self] : []
        if receivers.contains(.ancestors) {
            up += above
        } else if receivers.contains(.parent) {
            up += above.prefix(1)
        }
        var down: [AnyNode] = []
        if receivers.contains(.descendants) {
            down = descendants
        } else if receivers.contains(.children) {
            down = slots.flatMap(\.children)
        }
        return (up, down)
    }

    /// Sends an event: those who listen now receive it, on the store's scheduler.
    final func send(_ event: any Sendable, to receivers: EventReceivers) {
        let isOutermost = tree.gate.acquire()
        defer { if isOutermost { tree.releaseGate() } }
        guard isActive else { return }
        let above = Array(lineage.dropFirst())
        let (up, down) = self.receivers(receivers, above)
        let lists = up.map { $0.extras?.listeners ?? [] }
        let below = down.flatMap { $0.extras?.listeners ?? [] }
        let (observer, path) = (tree.eventObserver, parent?.path(ofSlot: slot))
        tree.enqueue { [self] in
            var sent = SentEvent(event: event, sender: self, above: above, path: path)
            observer?(event, self)
            for listeners in lists {
                var isConsumed = false
                for listener in listeners where listener.receive(sent) {
                    isConsumed = isConsumed || listener.isConsuming
                }
                if isConsumed { break }
            }
            sent.isGoingDown = true
            for listener in below { _ = listener.receive(sent) }
        }
    }
}
