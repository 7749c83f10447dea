public import Promise

/// A piece of work that is in flight or pending at the moment of reading: see ``System/running``.
public struct Running: Sendable, CustomStringConvertible {
    /// The kind of work.
    public enum Kind: String, Sendable, Hashable {
        /// The transition in flight.
        case transition
        /// The time limit of that transition.
        case timeLimit = "time limit"
        /// An effect, a task of a model, or a request.
        case effect
        /// An effect or a request that is queued behind others, debounced or throttled.
        case pendingEffect = "pending effect"
        /// A call of an ``Endpoint``.
        case call
        /// An event that waits for its turn.
        case pendingEvent = "pending event"
        /// An event that is debounced or throttled.
        case delayedEvent = "delayed event"
        /// A timer that is not one of the above.
        case timer
        /// Another thread processes an event, or events wait for the scheduler. What else there is can't be read
        /// meanwhile.
        case busy
    }

    /// The kind of work.
    public let kind: Kind
    /// The event as text, the name of an endpoint, or the type of a model; nil for the effect of a feedback.
    public let name: String?
    /// The key of an effect, of a delayed event or of a fetched value; nil without one.
    public let key: EffectKey?
    /// Where the event was sent, the feedback created, the task started, or the call written. Its line is 0 if that is
    /// not known.
    public let origin: Origin
    /// How long ago the work started, or began to wait, by the clock of the scheduler; nil if that is not known, as of
    /// pending events of a system that nothing observes.
    public let duration: Duration?
    /// Of an effect: the index of its feedback, and the number of its request, which it keeps when it starts.
    package let request: (feedback: Int, number: Int)?

    package init(
        _ kind: Kind, _ name: String? = nil, key: EffectKey? = nil, at origin: Origin,
        for duration: Duration? = nil, request: (feedback: Int, number: Int)? = nil
    ) {
        (self.kind, self.name, self.origin) = (kind, name, origin)
        self.key = key == .unnamed ? nil : key
        (self.duration, self.request) = (duration, request)
    }

    /// One line, such as "transition load at Shop/Page.swift:12, for 2.0 seconds".
    public var description: String {
        let words = [kind.rawValue, name, key?.description].compactMap(\.self).joined(separator: " ")
        return words + (origin.line == 0 ? "" : " at \(origin)") + (duration.map { ", for \($0)" } ?? "")
    }
}
