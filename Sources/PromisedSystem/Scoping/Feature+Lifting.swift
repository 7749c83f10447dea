// Embeds the feature of a part in a whole.
extension FeatureProtocol {
    /// Embeds this feature in a whole whose state contains this feature's state.
    ///
    /// - Parameter scope: The path to the part. The part ignores an event that `extract` maps to nil, and an event that
    ///   `embed` declines is not sent.
    @inlinable
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State, Event>
    ) -> Feature<Whole, WholeEvent> {
        Feature(
            reducer: reducer.lifted(by: scope), feedbacks: feedbacks.map { $0.lifted(by: scope) },
            middleware: middleware.lifted(by: scope))
    }

    /// Embeds this feature in a whole whose state contains this feature's state as an optional.
    ///
    /// - Parameter scope: The path to the part. While the part is nil, no work runs and its events are ignored.
    @inlinable
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State?, Event>
    ) -> Feature<Whole, WholeEvent> {
        optional.lifted(by: scope)
    }

    /// Embeds this feature for every element of a collection. Each element has its own work, which is cancelled when
    /// the element is removed.
    ///
    /// - Parameter elements: The path to the elements. Events for no element, or for an absent one, leave the whole
    ///   unchanged.
    @inlinable
    public func lifted<Whole, WholeEvent, ID>(
        byEach elements: Elements<Whole, WholeEvent, ID, State, Event>
    ) -> Feature<Whole, WholeEvent> {
        Feature(
            reducer: reducer.lifted(byEach: elements),
            feedbacks: feedbacks.map { $0.lifted(byEach: elements) },
            middleware: middleware.lifted(byEach: elements))
    }

    /// This feature for an optional state. While the state is nil, no work runs and all events are ignored.
    @inlinable public var optional: Feature<State?, Event> {
        Feature(
            reducer: reducer.optional, feedbacks: feedbacks.map { $0.optional },
            middleware: middleware.optional)
    }
}
