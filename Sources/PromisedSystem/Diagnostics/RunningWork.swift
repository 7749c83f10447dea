package import Promise

/// Work of a system that is running or pending; a test kit lists what is left at the end of a test.
package enum RunningWork: Sendable {
    /// The running transition: its event, and where the event was sent.
    case transition(event: String, Origin)
    /// A running effect: its key, nil if it has none, and where its feedback was created.
    case effect(key: String?, Origin)
    /// A pending effect, which is queued behind others of its key or debounced.
    case waiting(key: String?, Origin)
    /// A pending event, and where it was sent.
    case event(String, Origin)
}

extension System {
    /// Calls `body` on the system's scheduler with the running and pending work: the transition, then effects in the
    /// order in which they were started, then pending effects and events.
    package func look(atRunningWork body: @escaping @Sendable ([RunningWork]) -> Void) {
        loop.receive(.perform { [weak loop] in body(loop?.runningWork ?? []) })
    }

    /// Calls `body` with the report of each failed transition or effect, in place of `PromiseDiagnostics`, and whether
    /// an `onError` callback received the error.
    package func onFailure(
        _ body: @escaping @Sendable (PromiseDiagnostics.Report, _ isHandled: Bool) -> Void
    ) -> SubscriptionToken {
        loop.observers.failures.add(Callback(joining: body))
    }

    /// Calls `body` at the beginning of every turn, after the middleware, with the event and where it was sent.
    package func onTurn(_ body: @escaping @Sendable (Event, Origin) -> Void) -> SubscriptionToken {
        loop.observers.turns.add(Callback(joining: body))
    }
}

extension Loop {
    fileprivate var runningWork: [RunningWork] {
        let transition = machine.turn.map {
            RunningWork.transition(event: ValueText(event: $0.event).description, $0.origin)
        }
        return (transition.map { [$0] } ?? []) + (effects?.runningWork ?? [])
            + machine.pendingEntries.map { .event(ValueText(event: $0.event).description, $0.origin) }
    }
}

extension LoopMachine {
    fileprivate var pendingEntries: [Entry] {
        replacing.all + behindTurn + behind.reversed() + waiting.all + rateLimiter.all.map(\.entry)
    }
}

extension RunningEffects {
    fileprivate final var runningWork: [RunningWork] {
        var running: [(number: Int, work: RunningWork)] = []
        var waiting: [RunningWork] = []
        for (feedback, slots) in registry.slots.enumerated() {
            for (key, slot) in slots.pairs {
                let name = key == .unnamed ? nil : "\(key)"
                slot.runs.forEach { running.append(($0.number, .effect(key: name, origins[$0.requester]))) }
                if let request = slot.wait.first?.nextRequest {
                    waiting.append(.waiting(key: name, origins[request.requester ?? feedback]))
                }
            }
        }
        return running.sorted { $0.number < $1.number }.map(\.work) + waiting
    }
}
