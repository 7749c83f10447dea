internal import Promise
internal import Synchronization

/// One that listens to events at a node.
final class EventListener: Sendable {
    /// Passes an event on if it is one of those that are listened to.
    ///
    /// - Returns: Whether it is.
    let receive: @Sendable (_ event: any Sendable, _ sender: AnyNode) -> Bool
    /// Whether an event that it has received goes no further up.
    let isConsuming: Bool
    let end: @Sendable () -> Void

    init(
        isConsuming: Bool, _ receive: @escaping @Sendable (any Sendable, AnyNode) -> Bool,
        end: @escaping @Sendable () -> Void
    ) {
        (self.receive, self.isConsuming, self.end) = (receive, isConsuming, end)
    }
}

extension AnyNode {
    /// The nodes that receive an event, in the order in which they do: from here up, then from here down.
    final func receivers(_ receivers: EventReceivers) -> (up: [AnyNode], down: [AnyNode]) {
        var up: [AnyNode] = receivers.contains(.sender) ? [self] : []
        if receivers.contains(.ancestors) {
            up += lineage.dropFirst()
        } else if receivers.contains(.parent), let parent {
            up.append(parent)
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
        let (up, down) = self.receivers(receivers)
        let lists = up.map { $0.extras?.listeners ?? [] }
        let below = down.flatMap { $0.extras?.listeners ?? [] }
        let observer = tree.eventObserver
        tree.enqueue { [self] in
            observer?(event, self)
            for listeners in lists {
                var isConsumed = false
                for listener in listeners where listener.receive(event, self) {
                    isConsumed = isConsumed || listener.isConsuming
                }
                if isConsumed { break }
            }
            for listener in below { _ = listener.receive(event, self) }
        }
    }
}
