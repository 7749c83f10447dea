public import Promise
public import PromisedSystem

/// What a loop, or its work, notes for the writer: values as they are, to be encoded later. It depends on no type of
/// state or event, so that what handles it is compiled once.
enum SystemFact: Sendable {
    case attached(any StateBox, at: Duration)
    /// An event has arrived, and waits.
    case sent(SentEvent)
    /// A turn goes on after this; with its event, if that was sent right before.
    case begins(SentEvent?, BegunTurn)
    /// A whole turn; nil for the beginning if middleware stopped the event.
    case turn(SentEvent?, BegunTurn?, TurnEnd)
    /// The end of a turn that has begun before, or of one that middleware stopped.
    case ends(TurnEnd)
    case shows(any StateBox, isReverted: Bool, at: Duration)
    case dropped(UInt32, reason: String, at: Duration)
    case delayEnded([EffectKey], end: String, at: Duration)
    case timedOut(turn: Int, at: Duration)
    case written(any Sendable, Origin, any StateBox, at: Duration)
    case failed(any Error)
    case work(WorkFact, at: Duration)
    /// Facts before are missing.
    case skipped(SkippedFacts)
}

/// A state of any type.
@usableFromInline
protocol StateBox: Sendable {
    var anyValue: Any { get }
}

extension ValueBox: StateBox {
    @usableFromInline var anyValue: Any { value }
}

@usableFromInline
struct SentEvent: Sendable {
    let event: any Sendable
    let policy: EventPolicy
    let place: UInt64
    let sender: EventSender
    let number: UInt32
    let at: Duration

    @usableFromInline
    init(
        _ event: any Sendable, _ policy: EventPolicy, _ origin: Origin, by sender: EventSender,
        _ mark: SendMark?
    ) {
        (self.event, self.policy, place, self.sender) = (event, policy, origin.place, sender)
        (number, at) = (mark?.number ?? 0, mark?.at ?? .zero)
    }
}

@usableFromInline
enum EventSender: Sendable {
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

struct BegunTurn: Sendable {
    /// An event of any type, of which few turns have one.
    final class Event: Sendable {
        let value: any Sendable

        init(_ value: any Sendable) { self.value = value }
    }

    let number: Int
    /// The number of the sent event.
    let sent: UInt32
    /// As middleware passed it on; nil if there is no middleware.
    let event: Event?
    let at: Duration
}

struct TurnEnd: Sendable {
    let turn: Int
    /// The number of the sent event.
    let sent: UInt32
    let outcome: TurnOutcome
    let isUnhandled: Bool
    let at: Duration
    /// What it has committed; nil if it has not, or if that was shown before.
    let state: (any StateBox)?
}

@usableFromInline
enum TurnOutcome: Sendable {
    case settled, cancelled, missed, stopped
    case failed(any Error)

    var name: String {
        switch self {
        case .settled: "settled"
        case .cancelled: "cancelled"
        case .missed: "missed"
        case .stopped: "stopped"
        case .failed: "failed"
        }
    }
}

/// Facts that were not kept: because the recorder was paused, or because there were too many.
struct SkippedFacts: Sendable {
    var facts = 0
    var turns = 0
    /// The last state that was shown; nil if none was.
    var state: (any StateBox)?
    var isLoss = false
}
