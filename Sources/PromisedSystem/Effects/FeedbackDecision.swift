internal import Promise

extension Feedback {
    /// The input of a feedback.
    @usableFromInline
    enum Input: Sendable {
        /// A state, and the event that led to it; nil at the start, and in a lifted feedback for an event that does not
        /// concern its part.
        case state(ValueBox<State>, after: Event?)
        case event(Event, ValueBox<State>)

        @inlinable var state: State {
            switch self {
            case .state(let state, _), .event(_, let state): state.value
            }
        }

        /// The event that the feedback receives; nil if it receives a state.
        @inlinable var event: Event? { if case .event(let event, _) = self { event } else { nil } }
    }
}

/// The decision of a feedback about its work, in response to one input.
@usableFromInline
enum FeedbackDecision: Sendable {
    case unchanged
    /// The input repeats a request, so the work stays as it is.
    case repeated
    /// Keep exactly these requests running.
    case keep(SmallArray<EffectPlan>)
    /// Start this request in addition to the running ones, subject to its policy.
    case start(EffectPlan)
    /// Cancel all work and close all throttle windows, because the part that the feedback works for was removed.
    case end
    /// End as for a removed part, and then follow the decision for the part that has taken its place.
    indirect case renew(FeedbackDecision)
    /// The decisions for some elements, from a feedback that is lifted to a collection.
    case each([Of])

    @usableFromInline
    struct Of: Sendable {
        let element: EffectKey
        let answer: FeedbackDecision
    }
}

/// The inputs for which a feedback is called.
@usableFromInline
enum FeedbackInputs: Sendable {
    case states, events, all

    @inlinable
    func accepts<State, Event>(_ input: Feedback<State, Event>.Input) -> Bool {
        switch (self, input) {
        case (.all, _), (.states, .state), (.events, .event): true
        case (.states, .event), (.events, .state): false
        }
    }
}

/// The memory of a feedback, besides its current requests, on which its next decision depends.
@usableFromInline
package enum FeedbackMemory: Sendable {
    /// The settled states only.
    case ofStates
    /// The previous event.
    case ofLastEvent
    /// All previous events.
    case ofEvents

    /// The memory of a lifted feedback, which receives only some of the events.
    var lifted: FeedbackMemory { if case .ofStates = self { .ofStates } else { .ofEvents } }
}
