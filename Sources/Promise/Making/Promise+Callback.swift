extension Promise {
    /// Creates a promise from a callback-based function that completes with a `Result`.
    ///
    /// ```swift
    /// @Sendable func load(_ completion: @escaping @Sendable (Result<String, any Error>) -> Void) {
    ///     completion(.success("tea"))
    /// }
    ///
    /// let tea = Promise.fromCallback { callback in load(callback) }
    /// print(try await tea.value)
    /// ```
    ///
    /// - Parameter body: The work. It runs once, when the promise is first observed, on the observing thread; a
    ///   thrown error rejects the promise. The first call of the callback settles the promise, from any thread;
    ///   later calls are no-ops. If the callback is released without having been called, the promise is rejected
    ///   with ``PromiseError/abandoned(_:)``. Cancelling the promise does not cancel the work: for that, create
    ///   the promise with a ``Resolver``, which has ``Resolver/onCancel(_:)``.
    public static func fromCallback(
        _ body:
            @escaping @Sendable (
                _ callback: @escaping @Sendable (Result<Value, any Error>) -> Void
            ) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        Promise({ resolver in try body { resolver.resolve($0) } }, file: file, line: line)
    }

    /// Creates a promise from a callback-based function that completes with an optional value and an optional error.
    ///
    /// ```swift
    /// @Sendable func load(_ completion: @escaping @Sendable (String?, (any Error)?) -> Void) {
    ///     completion("tea", nil)
    /// }
    ///
    /// let tea = Promise.fromCallback { callback in load(callback) }
    /// print(try await tea.value)
    /// ```
    ///
    /// - Parameter body: The work, run as in the other overload. If the callback receives both, the error wins.
    ///   If it receives neither, the promise is rejected with ``PromiseError/abandoned(_:)``, which names the
    ///   place where the promise was created: the work has ended without a result, as if it had released the
    ///   callback.
    public static func fromCallback(
        _ body:
            @escaping @Sendable (
                _ callback: @escaping @Sendable (Value?, (any Error)?) -> Void
            ) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        let abandoned = PromiseError.abandoned(Origin(file, line))
        return fromCallback(
            { callback in
                try body { value, error in
                    callback(
                        value.flatMap { error == nil ? .success($0) : nil } ?? .failure(error ?? abandoned))
                }
            }, file: file, line: line)
    }
}
