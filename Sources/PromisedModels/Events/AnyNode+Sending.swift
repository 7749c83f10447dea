internal import Promise
internal import Synchronization

extension AnyNode {
    /// The nodes that receive an event, in the order in which they do: from here up, then from here down.
    private func receivers(_ receivers: EventReceivers, _ above: [AnyNode]) -> (
        all: [AnyNode], upwards: Int
    ) {
        var all: [AnyNode] = receivers.contains(.sender) ? [self] : []
        if receivers.contains(.ancestors) {
            all += above
        } else if receivers.contains(.parent) {
            all += above.prefix(1)
        }
        let upwards = all.count
        if receivers.contains(.descendants) {
            all += descendants
        } else if receivers.contains(.children) {
            all += slots.flatMap(\.children)
        }
        return (all, upwards)
    }

    private var listeners: [EventListener] { extras?.listeners ?? [] }

    /// Whether the node is activated before an event that is sent now is received: it also receives what `onActivate`
    /// begins to listen to.
    private var isEarly: Bool {
        switch phase.load(ordering: .relaxed) {
        case .new: true
        case .activating: !tree.scheduler.isCurrent
        case .activated: false
        }
    }

    /// Sends an event: the current listeners receive it, on the store's scheduler.
    final func send(_ event: any Sendable, to receivers: EventReceivers) {
        let isOutermost = tree.gate.acquire()
        defer { if isOutermost { tree.releaseGate() } }
        guard isActive, !isSilenced else { return }
        let above = Array(lineage.dropFirst())
        let (nodes, upwards) = self.receivers(receivers, above)
        let known = nodes.map(\.listeners)
        let early = nodes.enumerated().filter { $0.element.isEarly }
        let (observer, path) = (tree.eventObserver, childPlace?.path)
        let notice = tree.storage.noticeOfEvent(event) {
            EventPlace(model: name, place: placeText, receivers: receivers.rawValue)
        }
        tree.enqueue { [self] in
            notice?()
            var sent = RoutedEvent(event: event, sender: self, above: above, path: path)
            observer?(event, self)
            var lists = known
            for (place, node) in early { lists[place] = tree.gate.withGate { node.listeners } }
            for listeners in lists[..<upwards] {
                var isConsumed = false
                for listener in listeners where listener.receive(sent) {
                    isConsumed = isConsumed || listener.isConsuming
                }
                if isConsumed { break }
            }
            sent.isGoingDown = true
            for listener in lists[upwards...].joined() { _ = listener.receive(sent) }
        }
    }
}
