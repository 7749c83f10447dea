package import Promise

/// Work of a system that is running or pending; a test kit lists the rest at the end of a test.
package enum RunningWork: Sendable {
    /// The running transition: its event, and where the event was sent.
    case transition(event: String, Origin)
    /// A running effect: its key, nil if it has none, where its feedback was created, and the number of its request.
    case effect(key: EffectKey?, Origin, request: Int)
    /// A pending effect, which is queued behind others of its key or debounced. It keeps its number when it starts.
    case waiting(key: EffectKey?, Origin, request: Int)
    /// A pending event, and where it was sent.
    case event(String, Origin)
}

extension System {
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
    /// The running and pending work: the transition, then effects in the order in which they were started, then pending
    /// effects and events. Empty while a thread drains the loop, or messages are pending.
    package var runningWork: [RunningWork] {
        guard ownership.tryAcquire() else { return [] }
        defer { if !ownership.release() { begin() } }
        let transition = machine.turn.map {
            RunningWork.transition(event: ValueText(event: $0.event).description, $0.origin)
        }
        return (transition.map { [$0] } ?? []) + (effects?.runningWork ?? [])
            + machine.pendingEntries.map { .event(ValueText(event: $0.event).description, $0.origin) }
    }
}

extension LoopMachine {
    fileprivate var pendingEntries: [PendingEvent] {
        replacing.all + behindTurn + behind.reversed() + waiting.all + rateLimiter.all.map { $0.entry }
    }
}

extension RunningEffects {
    fileprivate final var runningWork: [RunningWork] {
        var running: [(number: Int, work: RunningWork)] = []
        var waiting = running
        for (feedback, slots) in registry.slots.enumerated() {
            for (key, slot) in slots.pairs {
                let name = key == .unnamed ? nil : key
                func wait(_ request: EffectPlan, _ number: Int) {
                    let origin = origins[request.requester ?? feedback]
                    waiting.append((number, .waiting(key: name, origin, request: number)))
                }
                slot.runs.forEach { run in
                    running.append(
                        (run.number, .effect(key: name, origins[run.requester], request: run.requestNumber)))
                }
                slot.wait.first?.requests.all.forEach { wait($0.request, $0.requestNumber) }
                if let waiting = slot.wait.first?.limiter.waiting { wait(waiting.value, waiting.number) }
            }
        }
        return (running.sorted { $0.number < $1.number } + waiting.sorted { $0.number < $1.number }).map(
            \.work)
    }
}
