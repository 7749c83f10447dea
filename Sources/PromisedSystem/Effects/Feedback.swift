public import Promise

/// Starts and cancels work in response to states and events; the work sends events back to the system.
///
/// ```swift
/// enum Event { case ask(String), answer(Int), forget }
/// struct State { var question: String?, answer: Int? }
///
/// let asking = Feedback<State, Event>.latest(state: \.question) { question in
///     Promise.value(question.count).delay(.seconds(1)).map(Event.answer)
/// }
/// ```
///
/// After the reducer has processed an event, each feedback first receives the new state, in the order in which the
/// feedbacks were given to the system; then each receives the event. When the system starts, each receives the initial
/// state. No feedback receives an event whose transition fails or is replaced, or that middleware stops: work that is
/// running continues.
///
/// Feedbacks form a monoid: `left <> right` runs both, and ``identity`` is the neutral element. One value can be used by
/// several systems; each has its own running work.
public struct Feedback<State: Sendable, Event: Sendable>: Sendable {
    @usableFromInline typealias Requests = SmallArray<EffectPlan>

    /// Decides which work should be running, given an input. Called by the owner of the loop.
    @usableFromInline typealias Decide = @Sendable (Input) -> FeedbackDecision

    struct FeedbackPart: Sendable {
        let origin: Origin
        let inputs: FeedbackInputs
        let memory: FeedbackMemory
        /// Whether it requests nothing new when it receives an equal state again.
        let skipsRepeated: Bool
        /// The part of the state for which it works, or the collection of parts.
        let place: PartKey
        /// Creates the decision closure of one system, with its own memory.
        let make: @Sendable (EffectContext<Event>) -> Decide

        init(
            _ origin: Origin, _ inputs: FeedbackInputs, _ memory: FeedbackMemory = .ofStates,
            skipsRepeated: Bool = false, at place: PartKey = .whole,
            _ make: @escaping @Sendable (EffectContext<Event>) -> Decide
        ) {
            (self.origin, self.inputs, self.memory, self.make) = (origin, inputs, memory, make)
            (self.skipsRepeated, self.place) = (skipsRepeated, place)
        }
    }

    let parts: [FeedbackPart]
    /// The source locations of the parts.
    @usableFromInline var origins: [Origin] { parts.map { $0.origin } }

    init(parts: [FeedbackPart]) { self.parts = parts }

    @usableFromInline
    init(
        _ origin: Origin, accepts inputs: FeedbackInputs, remembers memory: FeedbackMemory = .ofStates,
        skipsRepeated: Bool = false, _ make: @escaping @Sendable (EffectContext<Event>) -> Decide
    ) {
        parts = [FeedbackPart(origin, inputs, memory, skipsRepeated: skipsRepeated, make)]
    }

    /// Keeps exactly the work running that a function of the state requests. This is the most general state-driven
    /// feedback.
    ///
    /// - Parameter requests: Returns the requests that should be running, given the current ones and the state. It must
    ///   be pure.
    @inlinable
    public init(
        requests: @escaping @Sendable (_ current: [EffectRequest<Event>], State) -> [EffectRequest<Event>],
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(Origin(file, line), accepts: .states) { context in
            let current = Memory<[EffectRequest<Event>]>()
            return { input in
                let wanted = requests(current.latest ?? [], input.state)
                _ = current.exchange(for: wanted)
                return .keep(Requests(wanted.map { $0.plan(context) }))
            }
        }
    }

    /// Keeps exactly the work running that a function of the event requests. This is the most general event-driven
    /// feedback.
    ///
    /// - Parameter requests: Returns the requests that should be running, given the current ones, an event and the
    ///   state after it. It must be pure.
    @inlinable
    public init(
        eventRequests requests:
            @escaping @Sendable (_ current: [EffectRequest<Event>], Event, State) -> [EffectRequest<Event>],
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(Origin(file, line), accepts: .events) { context in
            let current = Memory<[EffectRequest<Event>]>()
            return { input in
                guard let event = input.event else { return .unchanged }
                let wanted = requests(current.latest ?? [], event, input.state)
                _ = current.exchange(for: wanted)
                return .keep(Requests(wanted.map { $0.plan(context) }))
            }
        }
    }

    /// A feedback that starts no work: the neutral element, as `identity` is of reducers, middleware and features.
    public static var identity: Feedback { Feedback(parts: []) }

    /// Combines two feedbacks: both receive every input, `left` first.
    public static func <> (left: Feedback, right: Feedback) -> Feedback {
        Feedback(parts: left.parts + right.parts)
    }

    /// Combines several feedbacks: all receive every input, in this order.
    public static func combined(_ all: [Feedback]) -> Feedback { Feedback(parts: all.flatMap { $0.parts }) }

    /// Combines several feedbacks: all receive every input, in this order.
    public static func combined(_ all: Feedback...) -> Feedback { combined(all) }
}
