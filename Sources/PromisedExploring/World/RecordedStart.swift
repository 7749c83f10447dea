internal import Promise
internal import PromisedRecording
internal import PromisedSystem

/// The turn of a recorded session from which a world is explored.
final class RecordedStart: Sendable {
    /// What the outside did until then.
    let past: RecordedPast
    /// Sends the event of a step, by its index.
    let send: @Sendable (Int) -> Void
    let flush: @Sendable ([EffectKey]) -> Void
    /// The steps that are left out, because the system begins with the state after them.
    let skipped: Int
    /// Whether it is noted when nothing is in flight on the way.
    let findsRest: Bool

    private struct Progress: Sendable {
        /// The recorded calls that were made again, by their index.
        var made: Set<Int> = []
        var isReached = false
        /// Why the turn was not reached.
        var problem: String?
        var rest: (step: Int, state: Int)?
    }

    private let progress = Lock(Progress())

    init(
        _ past: RecordedPast, skipping skipped: Int, findsRest: Bool, send: @escaping @Sendable (Int) -> Void,
        flush: @escaping @Sendable ([EffectKey]) -> Void
    ) {
        (self.past, self.skipped, self.findsRest) = (past, skipped, findsRest)
        (self.send, self.flush) = (send, flush)
    }

    /// Called when the steps were taken.
    ///
    /// - Parameter problem: Why they could not be.
    func reaches(_ problem: String?) {
        progress.withLock { ($0.isReached, $0.problem) = (true, problem) }
    }

    var problem: String? { progress.withLock { $0.problem } }

    /// The last step before which nothing was in flight, and the number of the state there; nil if there is none.
    var rest: (step: Int, state: Int)? { progress.withLock { $0.rest } }
    func rests(before step: Int, in state: Int) { progress.withLock { $0.rest = (step, state) } }

    /// The recorded call that a new one is, and its answers: on the way the next one of its name and input, and from
    /// then on all answers that such calls have got later, or else the last one before.
    ///
    /// - Returns: Nil if none is known. The index is nil for a call that begins after the turn: what such a call may
    ///   get does not depend on the path.
    func call(_ name: String, _ input: any Sendable) -> (index: Int?, answers: [RecordedFact])? {
        let coded = CodedValue(input)
        let alike = past.calls.indices.filter {
            past.calls[$0].name == name && past.calls[$0].input.isSame(as: coded)
        }
        return progress.withLock { progress in
            guard progress.isReached else {
                let index = alike.first {
                    past.calls[$0].step ?? .max >= skipped && !progress.made.contains($0)
                }
                guard let index else { return nil }
                progress.made.insert(index)
                return (index, past.calls[index].answers)
            }
            let later = alike.filter { past.calls[$0].step == nil }
            let answers = (later.isEmpty ? alike.suffix(1) : later).flatMap { past.calls[$0].answers }
            return answers.isEmpty ? nil : (nil, answers)
        }
    }
}

extension CodedValue {
    fileprivate func isSame(as other: CodedValue) -> Bool { json == other.json && text == other.text }
}

extension Outcome {
    /// The outcome that is recorded.
    init(_ answer: RecordedAnswer<Value>) {
        switch answer {
        case .interim(let value): self = .report(value)
        case .value(let value): self = .value(value, named: "recorded \(ShortText(value))")
        case .error(let error):
            let text = (error as? RecordedError)?.description ?? ShortText(error).description
            self = .error(error, named: "recorded \(text)")
        }
    }
}
