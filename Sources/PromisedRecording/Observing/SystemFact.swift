public import Promise
public import PromisedSystem

/// A fact of a loop or its work: values as they are, to be encoded by the writer. It depends on no type of state or
/// event, so that all code that handles it is compiled once. Indirect, so that it is handed on as one word.
indirect enum SystemFact: Sendable {
    /// The system exists, with the number of its last turn.
    case attached(any StateBox, after: Int, at: Duration)
    /// An event has arrived, and waits.
    case sent(SentEvent)
    /// A turn continues after this; with its event, if that was sent right before.
    case begins(SentEvent?, BegunTurn)
    /// A whole turn; nil for the beginning if middleware stopped the event.
    case turn(SentEvent?, BegunTurn?, TurnEnd)
    /// The end of a turn that has begun before, or of one that middleware stopped.
    case ends(TurnEnd)
    case shows(any StateBox, isReverted: Bool, at: Duration)
    case written(any Sendable, Origin, by: String?, any StateBox, at: Duration)
    /// A line of a kind that needs nothing else.
    case other(RecordedFact.Kind, FactFields, at: Duration)
    /// Facts before are missing.
    case skipped(SkippedFacts)

    /// That of the line.
    var time: Duration? {
        switch self {
        case .attached(_, _, let time), .shows(_, _, let time), .written(_, _, _, _, let time),
            .other(_, _, let time):
            time
        case .sent(let sent): sent.at
        case .begins(_, let turn): turn.at
        case .turn(_, let turn, let end): turn?.at ?? end.at
        case .ends(let end): end.at
        case .skipped: nil
        }
    }
}

@usableFromInline typealias FactFields = KeyValuePairs<String, FactValue>

/// A member of a line, before it is encoded.
@usableFromInline
enum FactValue: Sendable {
    case number(Int)
    case text(String)
    /// Nothing if it is nil.
    case optional(String?)
    /// In nanoseconds; nothing if it is nil.
    case duration(Duration?)
    /// Nothing if it is false.
    case flag(Bool)
    case key(EffectKey)
    case keys([EffectKey])
    case place(Origin)
    case value(any Sendable)
    /// The text of an error; nothing if there is none.
    case error((any Error)?)
    /// An error with its type; with its value, if it is of a type that is kept whole.
    case failure(any Error, failing: (any (Error & Codable).Type)?)
}

extension FactValue {
    /// The members of an event that a model sends.
    static func post(_ event: any Sendable, _ sender: EventPlace, _ owner: String?) -> FactFields {
        [
            "e": .value(event), "model": .text(sender.model), "place": .text(sender.place),
            "to": .number(sender.receivers), "by": .optional(owner),
        ]
    }
}

/// A state of any type.
@usableFromInline
protocol StateBox: Sendable {
    var anyValue: Any { get }
}

extension ValueBox: StateBox {
    @usableFromInline var anyValue: Any {
        let value = value
        return (value as? any StateWrapper)?.wrappedState ?? value
    }
}

@usableFromInline
struct SentEvent: Sendable {
    let event: any Sendable
    let policy: EventPolicy
    let place: UInt64
    let sender: EventSender
    let number: UInt32
    let at: Duration
    /// Whether a turn has begun or ended since the loop was idle.
    let followsTurn: Bool
    /// Whether it was sent in a turn whose reducer has returned: it replaces that no more.
    var followsReducer = false

    @usableFromInline
    init(
        _ event: any Sendable, _ policy: EventPolicy, _ origin: Origin, by sender: EventSender,
        _ mark: SendMark?, followsTurn: Bool
    ) {
        (self.event, self.policy, place, self.sender) = (event, policy, origin.place, sender)
        self.followsTurn = followsTurn
        (number, at) = (mark?.number ?? 0, mark?.at ?? .zero)
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

@usableFromInline
struct TurnEnd: Sendable {
    let turn: Int
    /// The number of the sent event.
    let sent: UInt32
    let outcome: String
    let error: (any Error)?
    let isUnhandled: Bool
    let at: Duration
    /// The committed state; nil if there is none.
    let state: (any StateBox)?
}
