internal import Promise

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

    /// Sends an event: the current listeners receive it, on the store's scheduler.
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
