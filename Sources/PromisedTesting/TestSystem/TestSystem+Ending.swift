import Promise
import PromisedSystem

extension TestSystem {
    /// Ends the test, and reports everything that is not accounted for, with the place that caused it.
    ///
    /// It first runs the due work. Further calls are no-ops. A test system that is released without this call ends
    /// itself, and reports at the place at which it was created.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        end(at: TestPlace(fileID, filePath, line, column))
    }

    func end(at place: TestPlace) {
        guard !isFinished else { return }
        // The work that a try ran would be forgotten with it.
        if !tries.isTrying { scheduler.advance(at: place) }
        check(place) { report(at: place) }
    }

    private func report(at place: TestPlace) {
        isFinished = !tries.isTrying
        if isFinished, !exhaustivity.contains(.failures), !showsSkipped { passOnFailures() }
        for (area, message) in failuresLeft() + eventsLeft() + statesLeft() + workLeft() {
            if exhaustivity.contains(area) {
                fail(message, place)
            } else if showsSkipped {
                note("Not required by the test's exhaustivity. " + message, place)
            }
        }
        guard isFinished else { return }
        // Later failures do not belong to the test: they are reported as usual.
        failureToken.cancel()
    }

    private func failuresLeft() -> [(Exhaustivity, String)] {
        eventLog.withLock { $0.openFailures() }.map { failure in
            // The text of an error may be a sentence.
            let report = "\(failure.report)"
            let text = """
                \(report.hasSuffix(".") ? report : report + ".")

                Receive it with receiveFailure(_:) before the end of the test, or fix what fails.
                """
            return (.failures, text)
        }
    }

    /// Reports failures that the test does not have to receive as they are reported outside of tests.
    private func passOnFailures() {
        for failure in eventLog.withLock({ $0.openFailures() }) where !failure.isHandled {
            PromiseDiagnostics.report(failure.report)
        }
    }

    private func eventsLeft() -> [(Exhaustivity, String)] {
        let eventLog = eventLog.withLock { $0 }
        return eventLog.openEvents().map { event in
            var text = "An event was not received: \(ValueText(event: event.event)), sent at \(event.origin)."
            if case .notProcessed(let reason) = event.disposition {
                text += " It was not processed: \(reason)."
            }
            let places = eventLog.openStates(from: event.place, inOneTurn: true).map(\.place)
            if !places.isEmpty {
                text += " It led to:\n\n" + eventLog.changes(at: places)
                // Reported here, so not reported again as states.
                if exhaustivity.contains(.events) {
                    self.eventLog.withLock { eventLog in
                        for place in places { eventLog.entries[place].isAccountedFor = true }
                    }
                }
            }
            return (.events, text + "\n\nReceive it with receive(_:) before the end of the test.")
        }
    }

    private func statesLeft() -> [(Exhaustivity, String)] {
        let eventLog = eventLog.withLock { $0 }
        return eventLog.openStates().map { place, shown in
            (
                .states,
                """
                A \(shown.kind) state was not asserted, shown at \(eventLog.entries[place].instant):

                \(eventLog.changes(at: [place]))

                Assert it with send(_:), receive(_:) or assert(_:), or leave it out with skipStates().
                """
            )
        }
    }

    private func workLeft() -> [(Exhaustivity, String)] {
        system.running.filter { !isSkipped($0) }.compactMap { work in
            guard let text = work.text else { return nil }
            let skipping = work.request == nil ? "" : ", or leave it out with skipRunningWork(_:)"
            return (
                .effects,
                "\(text) Move the clock until it is over, or send what ends it, before the end of the test"
                    + skipping + "." + openWorkNote
            )
        }
    }
}
