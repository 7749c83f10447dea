internal import PromisedTesting

extension Explorer {
    /// Replays the stored traces, up to the first that violates a property. The test fails for that, and if the file,
    /// or a trace in it, cannot be read; a trace that is not possible any more is noted.
    func storedFailure(in file: RegressionFile?, _ place: TestPlace) -> Counterexample<State, Event>? {
        guard let file else { return nil }
        let way = "The file is \(file.path). It was not changed. Mend it, or remove what is out of date."
        do {
            for (number, document) in try file.traces().enumerated() {
                do {
                    let steps = try document.steps(events)
                    var trace = self.trace(steps.sentEvents())
                    let impossible = steps.words().enumerated().first { !trace.take($0.element) }?.offset
                    if let counterexample = trace.counterexample {
                        fail(counterexample.text(from: file), place, attachments: counterexample.attachments)
                        return counterexample
                    }
                    guard let impossible else { continue }
                    note(
                        """
                        Trace \(number + 1) of the stored failures is not possible any more: step \(impossible + 1), \
                        \(steps[impossible]).

                        \(way)
                        """, place)
                } catch {
                    fail(
                        "Trace \(number + 1) of the stored failures cannot be tried: \(error).\n\n\(way)",
                        place)
                }
            }
        } catch {
            fail("The stored failures cannot be tried: \(error).\n\n\(way)", place)
        }
        return nil
    }

    /// Stores a counterexample, and describes it together with the file.
    func stored(_ counterexample: Counterexample<State, Event>, in file: RegressionFile?) -> String {
        guard let file, !counterexample.trace.isEmpty, counterexample.merged == nil else {
            return counterexample.description
        }
        do {
            try file.add(TraceDocument(counterexample.trace, property: counterexample.property))
            return "\(counterexample)\n\nIt was stored in \(file.path), and is tried first next time."
        } catch {
            return
                "\(counterexample)\n\nIt could not be stored in \(file.path), which was not changed: \(error.fileReason)."
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
