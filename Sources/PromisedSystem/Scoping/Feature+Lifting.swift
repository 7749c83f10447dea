// A feature of a part, at work in the whole.
extension FeatureProtocol {
    /// The same feature for the whole that its state is a part of.
    ///
    /// - Parameter scope: The way to the part. An event that means nothing to it leaves the whole untouched, and events
    ///   that it declines to embed are not sent.
    @inlinable
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State, Event>
    ) -> Feature<Whole, WholeEvent> {
        Feature(
            reducer: reducer.lifted(by: scope), feedbacks: feedbacks.map { $0.lifted(by: scope) },
            middleware: middleware.lifted(by: scope))
    }

    /// The same feature for an optional part of a whole.
    ///
    /// - Parameter scope: The way to the part. While it is not there, nothing is running, and the whole is left
    ///   untouched.
    @inlinable
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State?, Event>
    ) -> Feature<Whole, WholeEvent> {
        optional.lifted(by: scope)
    }

    /// The same feature for every element of a collection: each has work of its own, which ends with it.
    ///
    /// - Parameter elements: The way to them. An event for an element that is not there leaves the whole untouched, as
    ///   does one that is for none.
    @inlinable
    public func lifted<Whole, WholeEvent, ID>(
        byEach elements: Elements<Whole, WholeEvent, ID, State, Event>
    ) -> Feature<Whole, WholeEvent> {
        Feature(
            reducer: reducer.lifted(byEach: elements),
            feedbacks: feedbacks.map { $0.lifted(byEach: elements) },
            middleware: middleware.lifted(byEach: elements))
    }

    /// The same feature for a state that need not be there: then nothing is running, and nothing happens.
    @inlinable public var optional: Feature<State?, Event> {
        Feature(
            reducer: reducer.optional, feedbacks: feedbacks.map(\.optional), middleware: middleware.optional)
    }
}
