internal import Promise

/// An event that a test kit sends, to be told from others that are sent at the same place in the source.
package struct SentEvent: Sendable {
    private let run = EffectRun(
        EffectName(feedback: 0, key: .unnamed), number: 0, requestNumber: 0)

    package init() {
        // One for the event, and one so that the loop never takes the run for one of its own that is over.
        for _ in 1...2 { run.eventEnqueued() }
    }

    /// Whether its turn has begun, or it was dropped: then it is the event that observers of turns and records receive
    /// next.
    package var isDequeued: Bool { run.pendingEventCount == 1 }

    fileprivate func send<State, Event>(_ event: Event, to loop: Loop<State, Event>, _ origin: Origin) {
        loop.send(event, policy: nil, origin: origin, sender: .testKit(run))
    }
}

extension System {
    /// Sends an event like ``sendEvent(_:policy:file:line:)``, and lets `sent` follow it.
    package func send(_ event: Event, as sent: SentEvent, at origin: Origin) {
        sent.send(event, to: loop, origin)
    }
}
