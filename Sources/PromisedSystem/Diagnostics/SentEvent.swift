internal import Promise

/// An event that a test kit sends, to be told from others that are sent at the same place in the source.
package struct SentEvent: Sendable {
    private let run = EffectRun(outsideUntil: { false })

    package init() { run.eventEnqueued() }

    /// Whether its turn has begun, or it was dropped: then it is the event that observers of turns and records receive
    /// next.
    package var isDequeued: Bool { run.pendingEventCount == 1 }

    fileprivate func send<State, Event>(_ event: Event, to loop: Loop<State, Event>, _ origin: Origin) {
        loop.send(event, policy: nil, origin: origin, run: run)
    }
}

extension System {
    /// Sends an event like ``sendEvent(_:policy:file:line:)``, and lets `sent` follow it.
    package func send(_ event: Event, as sent: SentEvent, at origin: Origin) {
        sent.send(event, to: loop, origin)
    }
}
