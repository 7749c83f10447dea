import Promise
import PromisedSystem

/// The events, states and failures of a tested system in order, and which of them the test has accounted for.
struct EventLog<State: Sendable & Equatable, Event: Sendable>: Sendable {
    enum OccurrenceKind: Sendable {
        case event(Event, Origin, Disposition)
        case shown(Shown<State>)
        /// A transition or an effect has failed; `isHandled` if an `onError` received the error.
        case failure(PromiseDiagnostics.Report, isHandled: Bool)
    }

    /// Whether an event was processed.
    enum Disposition: Sendable {
        case processed
        /// The event was not processed, for this reason.
        case notProcessed(String)
    }

    struct Occurrence: Sendable {
        let kind: OccurrenceKind
        /// In the scheduler's virtual time.
        let instant: Duration
        var isAccountedFor = false
        /// The number of the call of `send` that has sent the event; nil for other entries.
        var send: Int?
        /// For a state: the previous state, updated with the parts of this one that were asserted; nil if none was.
        var partiallyAsserted: State?
    }

    var entries: [Occurrence] = []
    /// The events that the test has sent and that have not been recorded yet, by the number of the call.
    private var sent: [Int: SentEvent] = [:]
    private var lastSend = 0

    /// Expects an event that the test is about to send, which counts as accounted for.
    ///
    /// - Returns: The number of the call.
    mutating func expect(_ event: SentEvent) -> Int {
        lastSend += 1
        sent[lastSend] = event
        return lastSend
    }

    /// Reverts ``expect(_:)``, as the event was not sent.
    mutating func revertSend(_ number: Int) { sent[number] = nil }

    /// Returns the number of the call that has sent the event that observers receive now; nil if the test has not.
    mutating func takeSend() -> Int? {
        guard let number = sent.first(where: { $0.value.isDequeued })?.key else { return nil }
        sent[number] = nil
        return number
    }

    mutating func add(_ kind: OccurrenceKind, at instant: Duration, isAccountedFor: Bool = false) {
        // A state equal to the latest one is not recorded.
        if case .shown(let shown) = kind, areSame(latest, shown.state) { return }
        entries.append(Occurrence(kind: kind, instant: instant, isAccountedFor: isAccountedFor))
    }

    mutating func add(
        _ event: Event, _ origin: Origin, _ disposition: Disposition, at instant: Duration, send: Int?
    ) {
        entries.append(
            Occurrence(
                kind: .event(event, origin, disposition), instant: instant, isAccountedFor: send != nil,
                send: send))
    }

    /// The index of the event that a call of `send` has sent; nil if it has not been recorded.
    func index(ofSend number: Int) -> Int? { entries.lastIndex { $0.send == number } }

    /// The events that are not accounted for, in order.
    func openEvents() -> [(place: Int, event: Event, origin: Origin, disposition: Disposition)] {
        entries.indices.compactMap { place in
            guard !entries[place].isAccountedFor,
                case .event(let event, let origin, let disposition) = entries[place].kind
            else { return nil }
            return (place, event, origin, disposition)
        }
    }

    /// The failures that are not accounted for, in order.
    func openFailures() -> [(place: Int, report: PromiseDiagnostics.Report, isHandled: Bool)] {
        entries.indices.compactMap { place in
            guard !entries[place].isAccountedFor,
                case .failure(let report, let isHandled) = entries[place].kind
            else { return nil }
            return (place, report, isHandled)
        }
    }
}
