public import Promise

/// What work follows? Work that the state asks for, or that an event sets off, and that sends events in turn.
///
/// ```swift
/// enum Event { case ask(String), answer(Int), forget }
/// struct State { var question: String?, answer: Int? }
///
/// let asking = Feedback<State, Event>.lensingSkippingRepeated(state: \.question) { question in
///     Promise.value(question.count).delay(.seconds(1)).map(Event.answer)
/// }
/// ```
///
/// After every event that the reducer has dealt with, each feedback sees the new state, in the order in which they
/// were given to the system, and then each sees the event. At the start each sees the initial state.
///
/// Feedbacks are a monoid: `left <> right` is both, and ``empty`` on either side changes nothing. A value can serve
/// several systems; each has its own running work.
public struct Feedback<State: Sendable, Event: Sendable>: Sendable {
    @usableFromInline typealias Requests = SmallArray<EffectRequest<Event>>

    /// What a feedback is asked with.
    @usableFromInline
    enum Input: Sendable {
        /// A state, and the event that has led to it: nil at the start, and for an event that is none of a part's.
        case state(ValueBox<State>, after: Event?)
        case event(Event, ValueBox<State>)
    }

    /// What is to be running, given what was asked for so far. Called by the owner of the loop.
    @usableFromInline typealias Decide = @Sendable (Requests, Input) -> FeedbackDecision<Event>

    @usableFromInline
    struct Part: Sendable {
        @usableFromInline let origin: Origin
        @usableFromInline let hearing: FeedbackInputs
        @usableFromInline let memory: FeedbackMemory
        /// Whether it asks for nothing new when it is asked with an equal state again.
        @usableFromInline let skipsRepeated: Bool
        /// Makes the decider of one system, with a memory of its own.
        @usableFromInline let make: @Sendable () -> Decide

        @inlinable
        init(
            _ origin: Origin, _ hearing: FeedbackInputs, _ memory: FeedbackMemory = .ofStates,
            skipsRepeated: Bool = false, _ make: @escaping @Sendable () -> Decide
        ) {
            (self.origin, self.hearing, self.memory, self.make) = (origin, hearing, memory, make)
            self.skipsRepeated = skipsRepeated
        }
    }

    @usableFromInline let parts: [Part]

    @inlinable
    init(parts: [Part]) { self.parts = parts }

    @inlinable
    init(
        _ origin: Origin, accepts hearing: FeedbackInputs, remembers memory: FeedbackMemory = .ofStates,
        skipsRepeated: Bool = false, _ make: @escaping @Sendable () -> Decide
    ) {
        parts = [Part(origin, hearing, memory, skipsRepeated: skipsRepeated, make)]
    }

    /// Keeps exactly the work running that the state asks for: what all other feedbacks that look at the state are
    /// made of.
    ///
    /// - Parameter requests: Given what was asked for so far and the state, says what is to be running. Pure.
    @inlinable
    public init(
        requests: @escaping @Sendable (_ current: [EffectRequest<Event>], State) -> [EffectRequest<Event>],
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(Origin(file, line), accepts: .states) {
            { current, input in
                guard case .state(let state, _) = input else { return .asBefore }
                return .keep(Requests(requests(current.all, state.value)))
            }
        }
    }

    /// Keeps exactly the work running that events ask for: what all other feedbacks that look at events are made of.
    ///
    /// - Parameter requests: Given what was asked for so far, an event and the state that it has led to, says what
    ///   is to be running. Pure.
    @inlinable
    public init(
        eventRequests requests:
            @escaping @Sendable (_ current: [EffectRequest<Event>], Event, State) -> [EffectRequest<Event>],
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(Origin(file, line), accepts: .events) {
            { current, input in
                guard case .event(let event, let state) = input else { return .asBefore }
                return .keep(Requests(requests(current.all, event, state.value)))
            }
        }
    }

    /// The feedback that asks for nothing.
    @inlinable public static var empty: Feedback { Feedback(parts: []) }

    /// Both: each sees every input, `left` first.
    @inlinable
    public static func <> (left: Feedback, right: Feedback) -> Feedback {
        Feedback(parts: left.parts + right.parts)
    }

    /// All of them, each input in this order.
    @inlinable
    public static func combined(_ all: [Feedback]) -> Feedback { Feedback(parts: all.flatMap(\.parts)) }

    /// All of them, each input in this order.
    @inlinable
    public static func combined(_ all: Feedback...) -> Feedback { combined(all) }
}

/// What can be made an ``Effect``: effects themselves, and promises of an event.
public protocol EffectSource<Event>: Sendable {
    /// What it sends.
    associatedtype Event: Sendable

    /// The effect.
    var effect: Effect<Event> { get }
}

extension Effect: EffectSource {
    /// Itself.
    @inlinable public var effect: Effect { self }
}

extension Promise: EffectSource {
    /// What it reports and comes to are events.
    public typealias Event = Value

    /// The work that sends what the promise reports and comes to.
    @inlinable public var effect: Effect<Value> { .promise(self) }
}
