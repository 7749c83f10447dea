internal import Promise
internal import PromisedSystem

/// What a loop, or its work, notes for the writer: values as they are, to be encoded later.
enum SystemFact<State: Sendable, Event: Sendable>: Sendable {
    case attached(ValueBox<State>, at: Duration)
    case sent(SentEvent<Event>)
    /// The next turn may begin with another event than was sent.
    case entersMiddleware
    case begins(BegunTurn<Event>)
    case pends
    case shows(ValueBox<State>, StateChangeKind, at: Duration?)
    case ends(turn: Int, sent: UInt32, LoopRecord<State, Event>.Outcome, isUnhandled: Bool, at: Duration)
    case dropped(UInt32, LoopRecord<State, Event>.DropReason, at: Duration)
    case delayEnded([EffectKey], LoopFact<State, Event>.DelayEnd, at: Duration)
    case timedOut(turn: Int, at: Duration)
    case written(Event, Origin, ValueBox<State>, at: Duration)
    case failed(any Error)
    case work(WorkFact, at: Duration)
    /// Facts before are missing.
    case skipped(SkippedFacts<State>)
}

struct SentEvent<Event: Sendable>: Sendable {
    let event: Event
    let policy: EventPolicy
    let origin: Origin
    let sender: Sender
    let number: UInt32
    let at: Duration

    enum Sender: Sendable {
        case outside, middleware, handle
        case run(Int)

        /// Nil for the outside.
        var text: String? {
            switch self {
            case .outside: nil
            case .middleware: "middleware"
            case .handle: "handle"
            case .run(let number): "run \(number)"
            }
        }
    }
}

struct BegunTurn<Event: Sendable>: Sendable {
    let number: Int
    /// The number of the sent event.
    let sent: UInt32
    /// As middleware passed it on; nil if there is no middleware.
    let event: Event?
    let at: Duration
}

/// Facts that were not kept: because the recorder was paused, or because there were too many.
struct SkippedFacts<State: Sendable>: Sendable {
    var facts = 0
    var turns = 0
    /// The last state that was shown; nil if none was.
    var state: ValueBox<State>?
    var isLoss = false
}

/// What the work of a system notes: a run of an effect or a transition.
enum WorkFact: Sendable {
    case starts(run: Int, request: Int, place: [EffectKey], Origin)
    case waits(request: Int, place: [EffectKey], Origin)
    case delayEnded(request: Int)
    case ended(run: Int, (any Error)?)
    case cancelled(run: Int)
    case setsTimer(WorkOwner, number: Int, after: Duration)
    case timerFires(WorkOwner, number: Int)
    /// `async` work beside the seam.
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
}
