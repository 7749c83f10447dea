import Promise
import PromisedSystem

/// The events, states and failures of a tested system in order, and which of them the test has accounted for.
struct EventLog<State: Sendable & Equatable, Event: Sendable>: Sendable {
    enum Kind: Sendable {
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

    struct Entry: Sendable {
        let kind: Kind
        /// In the scheduler's virtual time.
        let instant: Duration
        var isAccountedFor = false
        /// For a state: the previous state, updated with the parts of this one that were asserted; nil if none was.
        var partiallyAsserted: State?
    }

    var entries: [Entry] = []
    /// By origin: how many events the test has sent that have not been processed yet.
    private var expectedSends: [Origin: Int] = [:]

    /// Expects an event that the test is about to send, which counts as accounted for.
    mutating func expectSend(from origin: Origin) { expectedSends[origin, default: 0] += 1 }

    /// Reverts ``expectSend(from:)``, as the event was not sent.
    mutating func revertExpectedSend(from origin: Origin) { expectedSends[origin, default: 1] -= 1 }

    mutating func add(_ kind: Kind, at instant: Duration, isAccountedFor: Bool = false) {
        // A state equal to the latest one is not recorded.
        if case .shown(let shown) = kind, latest == shown.state { return }
        entries.append(
            Entry(kind: kind, instant: instant, isAccountedFor: isAccountedFor || consumeExpectedSend(kind)))
    }

    private mutating func consumeExpectedSend(_ kind: Kind) -> Bool {
        guard case .event(_, let origin, _) = kind, let count = expectedSends[origin] else { return false }
        expectedSends[origin] = count > 1 ? count - 1 : nil
        return true
    }

    /// The index of the last event from an origin, at or after an index.
    func event(from origin: Origin, since start: Int) -> Int? {
        entries.indices.dropFirst(start).last { place in
            if case .event(_, origin, _) = entries[place].kind { true } else { false }
        }
    }

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
