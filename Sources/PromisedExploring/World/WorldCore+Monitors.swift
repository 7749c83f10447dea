internal import PromisedTesting

extension WorldCore {
    /// Whether every step changes a configuration in more than the queue, so that no target is inferred.
    @usableFromInline var countsSteps: Bool { monitors.countSteps }

    @usableFromInline var hasMonitors: Bool { !monitors.isEmpty }

    @usableFromInline
    func notices(processed event: any Sendable) { notices(.processes(event)) }

    @usableFromInline
    func notices(shown state: any Sendable, isLoading: Bool) { notices(.shows(state, isLoading: isLoading)) }

    /// Passes what happens to the properties that remember it.
    func notices(_ happening: @autoclosure () -> MonitoredEvent) {
        if monitors.isEmpty { return }
        record.acts()
        let (happening, now) = (happening(), scheduler.unobservedNow)
        let violations = record.inspecting { monitors.update { $0.notices(happening, at: now) } }
        for violation in violations { record.add(violation) }
    }

    func stepBegins() {
        if monitors.isEmpty { return }
        _ = monitors.update { monitor in
            monitor.stepBegins()
            return nil
        }
    }

    func stepEnds() {
        if monitors.isEmpty { return }
        let now = scheduler.unobservedNow
        for violation in monitors.update({ $0.stepEnds(at: now) }) { record.add(violation) }
        for property in monitors.triggered { record.findings.meets(.neverTriggered(property)) }
    }
}
