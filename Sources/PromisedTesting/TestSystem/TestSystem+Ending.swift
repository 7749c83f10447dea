import Promise
import PromisedSystem

extension TestSystem {
    /// Ends the test: what is not accounted for is reported, each with where it was born.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        end(at: TestPlace(fileID, filePath, line, column))
    }

    func end(at place: TestPlace) {
        guard !isFinished else { return }
        isFinished = true
        scheduler.advance()
        if !exhaustivity.contains(.failures), !showsSkipped { passOnFailures() }
        for (area, message) in failuresLeft() + eventsLeft() + statesLeft() + workLeft() {
            if exhaustivity.contains(area) {
                fail(message, place)
            } else if showsSkipped {
                note("Not asked for by the test's exhaustivity. " + message, place)
            }
        }
        // What fails from now on is nothing of the test's.
        failureToken.cancel()
    }

    private func failuresLeft() -> [(Exhaustivity, String)] {
        happenings.withLock { $0.openFailures() }.map { failure in
            let text = """
                \(failure.report).

                Receive it with receiveFailure(_:) before the end of the test, or mend what fails.
                """
            return (.failures, text)
        }
    }

    /// What the test does not ask for is reported as it is where there is no test.
    private func passOnFailures() {
        for failure in happenings.withLock({ $0.openFailures() }) where !failure.isHandled {
            PromiseDiagnostics.report(failure.report)
        }
    }

    private func eventsLeft() -> [(Exhaustivity, String)] {
        let happenings = happenings.withLock { $0 }
        return happenings.openEvents().map { event in
            var text = "An event was not received: \(ValueText(event: event.event)), sent at \(event.origin)."
            if case .hadNone(let reason) = event.disposition { text += " It had no turn: \(reason)." }
            let places = happenings.openStates(from: event.place, inOneTurn: true).map(\.place)
            if !places.isEmpty {
                text += " It led to:\n\n" + happenings.changes(at: places)
                // Told here, and not once more.
                if exhaustivity.contains(.events) {
                    self.happenings.withLock { happenings in
                        for place in places { happenings.entries[place].isAccountedFor = true }
                    }
                }
            }
            return (.events, text + "\n\nReceive it with receive(_:) before the end of the test.")
        }
    }

    private func statesLeft() -> [(Exhaustivity, String)] {
        let happenings = happenings.withLock { $0 }
        return happenings.openStates().map { place, shown in
            (
                .states,
                """
                A \(shown.kind) state was not asserted, shown at \(happenings.entries[place].instant):

                \(happenings.changes(at: [place]))

                Assert it with send(_:), receive(_:) or assert(_:), or leave it out with skipStates().
                """
            )
        }
    }

    private func workLeft() -> [(Exhaustivity, String)] {
        runningWork.map { work in
            let text =
                switch work {
                case .transition(let event, let origin):
                    "The transition of \(event), sent at \(origin), is still running."
                case .effect(let key, let origin): "\(Self.name(key, origin)) is still running."
                case .waiting(let key, let origin): "\(Self.name(key, origin)) still waits for its start."
                case .event(let event, let origin):
                    "The event \(event), sent at \(origin), still waits for its turn."
                }
            return (
                .effects,
                text + " Move the clock until it is over, or send what ends it, before the end of the test."
            )
        }
    }
    private static func name(_ key: String?, _ origin: Origin) -> String {
        key.map { "The effect \($0), asked for at \(origin)," }
            ?? "The work of the feedback made at \(origin)"
    }
}
