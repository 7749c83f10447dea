internal import Promise

/// Told of everything that a loop does: for an exploration, on the scheduler of the system.
@usableFromInline
package final class LoopProbe<State: Sendable, Event: Sendable>: Sendable {
    /// A turn begins.
    @usableFromInline let turn: @Sendable (Event) -> Void
    /// A state is shown; whether it is a loading one.
    @usableFromInline let shown: @Sendable (State, Bool) -> Void
    /// A transition or an effect has failed, which is reported nowhere else.
    @usableFromInline let failed: @Sendable (any Error) -> Void
    /// An event was dropped at the end of an endless chain, which is reported nowhere else.
    @usableFromInline let ranAway: @Sendable (Event) -> Void
    @usableFromInline let work: any WorkProbe

    @usableFromInline
    package init(
        work: any WorkProbe, turn: @escaping @Sendable (Event) -> Void,
        shown: @escaping @Sendable (State, Bool) -> Void,
        failed: @escaping @Sendable (any Error) -> Void, ranAway: @escaping @Sendable (Event) -> Void
    ) {
        (self.work, self.turn, self.shown, self.failed) = (work, turn, shown, failed)
        self.ranAway = ranAway
    }

    @usableFromInline
    func shows(_ state: ValueBox<State>, isLoading: Bool = false) { shown(state.value, isLoading) }
}

/// Told of the work that feedbacks begin.
@usableFromInline
package protocol WorkProbe: AnyObject, Sendable {
    /// A feedback is about to be asked what it wants, or has answered.
    func asks(_ isAsking: Bool)

    /// What is asked for now will be known to have been asked for at this.
    var occasion: Int { get }

    /// A run is about to begin.
    ///
    /// - Parameters:
    ///   - number: Counts the runs of the system.
    ///   - occasion: When its feedback has asked for it.
    ///   - isKnownByKey: Whether its work was given nothing but its key.
    func starts(_ number: Int, askedAt occasion: Int, isKnownByKey: Bool)

    /// Work that is running is about to be told of something new.
    func updates(workOf runs: [Int])
}

extension System {
    /// Has somebody told of everything. To be called before the system has done anything, by the only one who uses it.
    @usableFromInline
    package func attachProbe(by probe: LoopProbe<State, Event>) {
        loop.probe = probe
        loop.effects?.probe = probe.work
    }
}

extension System {
    /// Whether this is the scheduler on which everything happens.
    @usableFromInline
    package func isOn(_ scheduler: some SerialScheduler) -> Bool { loop.scheduler === scheduler }
}

extension EffectRequest {
    /// The same, with the occasion noted.
    @usableFromInline
    func asked(at occasion: Int) -> EffectRequest {
        var request = self
        request.occasion = occasion
        return request
    }
}

extension SmallArray {
    @inlinable
    func asked<Event>(at occasion: Int) -> SmallArray where Element == EffectRequest<Event> {
        guard !isEmpty else { return self }
        return SmallArray(all.map { $0.asked(at: occasion) })
    }
}
