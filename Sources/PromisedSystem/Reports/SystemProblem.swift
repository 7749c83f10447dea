public import Promise
internal import Synchronization

/// The problems of systems that are reported to `PromiseDiagnostics`.
public enum SystemProblem: PromiseDiagnostics.Problem {
    /// The promise that the reducer returned for this event was rejected or exceeded its time limit, and the system has
    /// no `onError`.
    case failedTransition(any Error, event: String)
    /// The transition of this event has been running for longer than this duration.
    case longTransition(Duration, event: String)
    /// The work of a feedback failed, and the system has no `onError` that takes the error alone.
    case failedEffect(any Error)
    /// This event was dropped: the cascade of events sent from inside other events reached the limit `after`.
    case runaway(event: String, after: Int)
    /// A reducer read the state of its own system, or of one whose reducer waits for it. It should read its argument
    /// instead. Each such read is reported, and gets the state before the event; only the first one in a reducer that
    /// changes a large state in place gets the initial state, because there is no other copy. A subscription that
    /// replays the state inside a reducer is such a read, unless the reducer changes the state in place: then it
    /// receives the new state, after the reducer. An operator that stores what it has received, such as
    /// `currentAndPrevious`, returns that to a reducer, unreported.
    case stateReadByReducer
    /// This event addressed a part of the state that was absent, so the reducer of that part was not called.
    case missedPart(event: String)
    /// No reducer, feedback or middleware took this event; reported in debug builds only.
    case unhandledEvent(event: String)
    /// An ``IdentifiedArray`` has refused an element of this type, because it has one of the same identity.
    case refusedElement(String, id: String)

    /// One line of text, with the problem and its origin.
    public func description(at origin: Origin) -> String {
        switch self {
        case .failedTransition(let error, let event):
            "The transition of \(event), sent at \(origin), failed: \(ValueText(event: error))"
        case .longTransition(let duration, let event):
            "The transition of \(event), sent at \(origin), is still running after \(duration)"
        case .failedEffect(let error):
            "The work of the feedback made at \(origin) failed: \(ValueText(event: error))"
        case .runaway(let event, let count):
            "The event \(event), sent at \(origin), was dropped: the cascade of events sent from inside other "
                + "events exceeded the limit of \(count)"
        case .stateReadByReducer:
            "The reducer for the event sent at \(origin) read the system's state: read the reducer's argument, "
                + "which is that state"
        case .missedPart(let event):
            "The event \(event), sent at \(origin), addressed a part of the state that is absent: "
                + "its reducer was not called"
        case .unhandledEvent(let event):
            "Nothing took the event \(event), sent at \(origin): the feature that it is for was not lifted "
                + "into the system's reducer, or its case path does not extract it"
        case .refusedElement(let element, let id):
            "An IdentifiedArray has refused a \(element), because it already has one with the identity \(id): "
                + "set it by the subscript [id:] to replace that"
                + (origin.line == 0 ? "" : " (at \(origin))")
        }
    }
}

extension PromiseDiagnostics {
    /// Whether events for an absent part of the state are reported, as ``SystemProblem/missedPart(event:)``, and in
    /// debug builds those that nothing took, as ``SystemProblem/unhandledEvent(event:)``.
    ///
    /// The default is true: such an event is lost, most often because it was sent to an element that has been removed,
    /// or to an optional part that is not set yet. A system with an `onLoop` callback does not report them, as its
    /// records contain them.
    public static var reportsMissedParts: Bool {
        get { !ignoresMissedParts.load(ordering: .relaxed) }
        set { ignoresMissedParts.store(!newValue, ordering: .relaxed) }
    }

    private static let ignoresMissedParts = Atomic(false)
}
