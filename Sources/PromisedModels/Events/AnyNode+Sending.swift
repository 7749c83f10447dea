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

    /// Those that listen to events here. If the node is to be activated before what is sent now is received, those that
    /// `onActivate` begins with are among them.
    private var listening: @Sendable () -> [EventListener] {
        let (phase, listeners) = (phase.load(ordering: .relaxed), extras?.listeners ?? [])
        let isEarly = phase == .new || phase == .activating && !tree.scheduler.isCurrent
        guard isEarly else { return { listeners } }
        return { [self] in tree.gate.withGate { extras?.listeners ?? [] } }
    }

    /// Sends an event: the current listeners receive it, on the store's scheduler.
    final func send(_ event: any Sendable, to receivers: EventReceivers) {
        let isOutermost = tree.gate.acquire()
        defer { if isOutermost { tree.releaseGate() } }
        guard isActive, !isSilenced else { return }
        let above = Array(lineage.dropFirst())
        let (up, down) = self.receivers(receivers, above)
        let (upwards, downwards) = (up.map(\.listening), down.map(\.listening))
        let (observer, path) = (tree.eventObserver, parent?.path(ofSlot: slot))
        tree.enqueue { [self] in
            var sent = SentEvent(event: event, sender: self, above: above, path: path)
            observer?(event, self)
            for listeners in upwards {
                var isConsumed = false
                for listener in listeners() where listener.receive(sent) {
                    isConsumed = isConsumed || listener.isConsuming
                }
                if isConsumed { break }
            }
            sent.isGoingDown = true
            for listeners in downwards { for listener in listeners() { _ = listener.receive(sent) } }
        }
    }
}
