internal import Promise
internal import Synchronization

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

    /// Those that listen to events here; nil if that is decided when an event that is sent now is received, because the
    /// node is activated before, and `onActivate` begins to listen.
    private var listeners: [EventListener]? {
        let phase = phase.load(ordering: .relaxed)
        if phase == .new || phase == .activating && !tree.scheduler.isCurrent { return nil }
        return extras?.listeners ?? []
    }

    private var laterListeners: [EventListener] { tree.gate.withGate { extras?.listeners ?? [] } }

    /// Sends an event: the current listeners receive it, on the store's scheduler.
    final func send(_ event: any Sendable, to receivers: EventReceivers) {
        let isOutermost = tree.gate.acquire()
        defer { if isOutermost { tree.releaseGate() } }
        guard isActive, !isSilenced else { return }
        let above = Array(lineage.dropFirst())
        let (up, down) = self.receivers(receivers, above)
        let (aboveLists, belowLists) = (up.map { $0.listeners }, down.map { $0.listeners })
        let (observer, path) = (tree.eventObserver, parent?.path(ofSlot: slot))
        tree.enqueue { [self] in
            var sent = SentEvent(event: event, sender: self, above: above, path: path)
            observer?(event, self)
            for (node, listeners) in zip(up, aboveLists) {
                var isConsumed = false
                for listener in listeners ?? node.laterListeners where listener.receive(sent) {
                    isConsumed = isConsumed || listener.isConsuming
                }
                if isConsumed { break }
            }
            sent.isGoingDown = true
            for (node, listeners) in zip(down, belowLists) {
                for listener in listeners ?? node.laterListeners { _ = listener.receive(sent) }
            }
        }
    }
}
