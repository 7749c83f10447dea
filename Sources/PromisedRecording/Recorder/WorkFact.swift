internal import Promise
internal import PromisedSystem

/// What the work of a system notes: a run of an effect or a transition.
enum WorkFact: Sendable {
    case starts(run: Int, request: Int, place: [EffectKey], Origin)
    case waits(request: Int, place: [EffectKey], Origin)
    case delayEnded(request: Int)
    case ended(run: Int, (any Error)?)
    case cancelled(run: Int)
    case setsTimer(WorkOwner, number: Int, after: Duration)
    case timerFires(WorkOwner, number: Int)
    case asyncBegins(WorkOwner, number: Int, Origin)
    case asyncEnds(WorkOwner, number: Int)
    case calls(RecordedCall)
    case answers(call: Int, RecordedAnswer)
}

/// To which work of its system something belongs.
enum WorkOwner: Sendable, Hashable, CustomStringConvertible {
    case run(Int)
    case turn(Int)

    var description: String {
        switch self {
        case .run(let number): "run \(number)"
        case .turn(let number): "turn \(number)"
        }
    }
}

struct RecordedCall: Sendable {
    let number: Int
    let name: String
    let input: any Sendable
    let owner: WorkOwner
    let origin: Origin
}

enum RecordedAnswer: Sendable {
    case interim(any Sendable)
    case value(any Sendable)
    /// - Parameter failing: The type of the errors that are kept whole.
    case error(any Error, failing: (any (Error & Codable).Type)?)
    case cancelled

    var isInterim: Bool { if case .interim = self { true } else { false } }
}
