extension Source {
    /// Combines every value with the previous result, to build stateful operators of your own.
    ///
    /// The closures are called once per value, however many subscribers and readers there are. The operator stores the
    /// result and shares it with all subscribers. It subscribes to this source at once, and cancels that when the
    /// returned source and its subscriptions are released.
    ///
    /// <!-- fence: compile -->
    /// ```swift
    /// import PromisedSystem
    ///
    /// extension Source {
    ///     /// The same value; every error is logged, once.
    ///     func loggingErrors<Success>(
    ///         _ log: @escaping @Sendable (any Error) -> Void
    ///     ) -> Source where Value == Result<Success, any Error> {
    ///         let logged = { @Sendable (result: Value) in
    ///             if case .failure(let error) = result { log(error) }
    ///             return result
    ///         }
    ///         return scan(first: logged) { _, result in logged(result) }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - first: Makes the first result from the present value; called synchronously.
    ///   - next: Makes the next result from the previous one and a change; nil for no change. Called where the owner
    ///     delivers.
    @inlinable
    public func scan<Output: Sendable>(
        first: @escaping @Sendable (_ value: Value) -> Output,
        next: @escaping @Sendable (_ before: Output, _ value: Value) -> Output?
    ) -> Source<Output> {
        remembering(first: first, next: next)
    }
}
