package import Promise

extension System {
    /// A snapshot of its loop.
    ///
    /// - Parameter settled: The number of the settled state, if it is known.
    @inlinable
    package func snapshot(settled: Int?) -> LoopSnapshot? { loop.snapshot(settled: settled) }

    /// Whether nothing but the settled state determines what it does next.
    @inlinable package var isResting: Bool { loop.isResting }

    /// The shown state, read directly under the lock; must not be called from inside a reducer.
    @inlinable package var currentShown: (state: State, isLoading: Bool) {
        let present = loop.store.contents.withLock { $0.present }
        return (present.box.value, present.kind == .interim)
    }

    /// Whether nothing that the system consists of remembers more than the settled state, once it is at rest.
    /// Subscribers and observers may be added later.
    @inlinable package var remembersOnlyState: Bool {
        loop.effects == nil && loop.middleware.layers.isEmpty && !loop.store.keepsHistory
            && loop.observers.isEmpty
            && loop.store.contents.withLock { $0.subscribers.isEmpty }
    }

    /// Brings a system at rest that ``remembersOnlyState`` to a state, without a notification.
    @inlinable
    package func restore(_ state: State) {
        let box = ValueBox(state)
        if ValueBox<State>.isInline { _ = loop.inlineState.exchange(for: box.shared) }
        loop.store.show(StateChange(box, .committed))
    }

    /// The memories on which the decisions of the feedbacks depend, and which no ``LoopSnapshot`` contains.
    package var feedbackMemories: [FeedbackMemory] { loop.effects?.memories ?? [] }

    /// Where the feedbacks were created.
    package var feedbackOrigins: [Origin] { loop.effects?.origins ?? [] }

    /// The policy of an event that is sent without one.
    @inlinable
    package func policy(of event: Event) -> EventPolicy { loop.eventPolicy?(event) ?? .queue }
}
