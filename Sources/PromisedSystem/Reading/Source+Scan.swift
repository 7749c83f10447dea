extension Source {
    /// What follows from every value and the one that was made before it: for operators of your own.
    ///
    /// Both closures are called once for each value, however many subscribers and readers there are. The memory
    /// belongs to the operator and begins here: a later subscriber gets the same. It listens from now on, until
    /// this source and its subscriptions have gone.
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
    ///   - first: The first value, of the one that is there now; called right here.
    ///   - next: What follows from the value before and a change; nil for no change. Called where the owner delivers.
    @inlinable
    public func scan<Output: Sendable>(
        first: @escaping @Sendable (_ value: Value) -> Output,
        next: @escaping @Sendable (_ before: Output, _ value: Value) -> Output?
    ) -> Source<Output> {
        remembering(first: first, next: next)
    }
}
