extension Explorer {
    /// The explorer with events that are sent in some states only: where a user can send them, or where none that is
    /// equal by symmetry is sent already.
    ///
    /// Here all rows begin alike. It does not matter which of several equal rows is tapped, so only the first is:
    ///
    /// <!-- fence: run -->
    /// ```swift
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// let rows = Explorer<[Int], Int>(events: [0, 1, 2, 3]) { world in
    ///     System(initialState: [0, 0, 0, 0], scheduler: world.scheduler) { rows, tapped in
    ///         var next = rows
    ///         next[tapped] = min(next[tapped] + 1, 3)
    ///         return .value(next)
    ///     }
    /// }
    /// let some = rows.sending(isExact: true) { rows, tapped in rows.firstIndex(of: rows[tapped]) == tapped }
    /// print(rows.check(depth: 12).configurations, some.check(depth: 12).configurations)
    /// ```
    ///
    /// ```text output
    /// 256 35
    /// ```
    ///
    /// An event that is left out in a state is the gap ``Gap/events``, unless that is declared to be exact. A script
    /// that is replayed may send any event.
    ///
    /// - Parameters:
    ///   - isExact: Whether nothing is missed: the events left out cannot occur, or lead to what others lead to but for
    ///     names. Of a pair of equal elements, also the work in flight must be equal, and no property may distinguish
    ///     them.
    ///   - condition: Returns whether an event is sent while a state is shown. If there is such a condition already,
    ///     both must be true.
    public func sending(
        isExact: Bool = false, where condition: @escaping @Sendable (State, Event) -> Bool
    ) -> Explorer {
        var other = self
        other.sent = SentEvents(condition, isExact: isExact, before: sent)
        return other
    }
}

/// Which events are sent in a state.
@usableFromInline
struct SentEvents<State: Sendable, Event: Sendable>: Sendable {
    private let conditions: [@Sendable (State, Event, PathRecord) -> Bool]

    init(
        _ condition: @escaping @Sendable (State, Event) -> Bool, isExact: Bool, before: SentEvents?
    ) {
        conditions =
            (before?.conditions ?? []) + [
                { state, event, record in
                    if record.inspecting({ condition(state, event) }) { return true }
                    if !isExact { record.findings.noteLeftOutEvent() }
                    return false
                }
            ]
    }

    @usableFromInline
    func isSent(_ state: State, _ event: Event, _ record: PathRecord) -> Bool {
        conditions.allSatisfy { $0(state, event, record) }
    }
}
