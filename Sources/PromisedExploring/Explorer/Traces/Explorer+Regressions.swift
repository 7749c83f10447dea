internal import PromisedTesting

extension Explorer {
    /// Replays the stored traces, up to the first that violates a property. The test fails if the file, or a trace in it,
    /// cannot be read.
    func storedFailure(in file: RegressionFile, _ place: TestPlace) -> Counterexample<State, Event>? {
        do {
            for (number, document) in try file.traces().enumerated() {
                do {
                    let trace = try replayed(document.steps(events))
                    if let counterexample = trace.counterexample { return counterexample }
                } catch {
                    report("Trace \(number + 1) of the stored failures cannot be tried", error, file, place)
                }
            }
        } catch {
            report("The stored failures cannot be tried", error, file, place)
        }
        return nil
    }

    private func replayed(_ steps: [Step<Event>]) throws -> Trace<State, Event> {
        var trace = Trace(self, steps.sentEvents())
        for (number, words) in steps.words().enumerated() where !trace.take(words) {
            throw TraceProblem(
                description: "step \(number + 1) is not possible any more: \(steps[number])")
        }
        return trace
    }

    private func report(
        _ what: String, _ problem: any Error, _ file: RegressionFile, _ place: TestPlace
    ) {
        fail(
            """
            \(what): \(problem).

            The file is \(file.path). It was not changed. Mend it, or remove what is out of date.
            """, place)
    }

    /// Stores a counterexample, and describes it together with the file.
    func stored(_ counterexample: Counterexample<State, Event>, in file: RegressionFile?) -> String {
        guard let file, !counterexample.trace.isEmpty else { return counterexample.description }
        do {
            try file.add(TraceDocument(counterexample.trace, property: counterexample.property))
            return "\(counterexample)\n\nIt was stored in \(file.path), and is tried first next time."
        } catch {
            return
                "\(counterexample)\n\nIt could not be stored in \(file.path), which was not changed: \(error)."
        }
    }
}

extension Counterexample {
    /// The text for a counterexample that was stored by an earlier check.
    func text(from file: RegressionFile) -> String {
        """
        \(report)

        This failure is stored in \(file.path), and was tried first; nothing else was. Fix the system, or remove the \
        trace from the file if the property may be violated so.
        """
    }
}
