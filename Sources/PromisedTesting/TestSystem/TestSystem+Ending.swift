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
        for (area, message) in eventsLeft() + statesLeft() + workLeft() {
            if exhaustivity.contains(area) {
                fail(message, place)
            } else if showsSkipped {
                note("Not asked for by the test's exhaustivity. " + message, place)
            }
        }
    }

    private func eventsLeft() -> [(Exhaustivity, String)] {
        happenings.withLock { happenings in
            happenings.openEvents().map { event in
                var text = "An event was not received: \(event.event), sent at \(event.origin)."
                if case .hadNone(let reason) = event.fate { text += " It had no turn: \(reason)." }
                let places = happenings.states(inTurnAt: event.place)
                if !places.isEmpty {
                    text += " It led to:\n\n" + happenings.changes(at: places)
                    // Told here, and not once more.
                    if exhaustivity.contains(.events) {
                        for place in places { happenings.entries[place].isAccountedFor = true }
                    }
                }
                return (.events, text + "\n\nReceive it with receive(_:) before the end of the test.")
            }
        }
    }

    private func statesLeft() -> [(Exhaustivity, String)] {
        happenings.withLock { happenings in
            happenings.entries.indices.compactMap { place in
                guard case .shown(let shown) = happenings.entries[place].kind,
                    !happenings.entries[place].isAccountedFor
                else { return nil }
                return (
                    .states,
                    """
                    A \(shown.kind) state was not asserted, shown at \(happenings.entries[place].instant):

                    \(happenings.changes(at: [place]))

                    Assert it with send(_:), receive(_:) or assert(_:), or leave it out with skipStates().
                    """
                )
            }
        }
    }

    private func workLeft() -> [(Exhaustivity, String)] {
        runningWork.map { work in
            let text =
                switch work {
                case .transition(let event, let origin):
                    "The transition of \(event), sent at \(origin), is still running."
                case .effect(let key, let origin):
                    "The effect \(key), asked for at \(origin), is still running."
                case .waiting(let key, let origin):
                    "The effect \(key), asked for at \(origin), still waits for its start."
                }
            return (
                .effects,
                text + " Move the clock until it is over, or send what ends it, before the end of the test."
            )
        }
    }
}

extension Happenings {
    /// What changed with some states, each from the one that was shown before.
    fileprivate func changes(at places: [Int]) -> String {
        places.compactMap { place in
            guard case .shown(let now) = entries[place].kind else { return nil }
            return StateDiff(from: before(place) ?? now.state, to: now.state).indented
        }
        .joined(separator: "\n")
    }

    private func before(_ place: Int) -> State? {
        for entry in entries[..<place].reversed() {
            if case .shown(let shown) = entry.kind { return shown.state }
        }
        return nil
    }
}
