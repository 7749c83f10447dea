extension Promise {
    /// A promise made of work that calls back once, with a result.
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
    /// - Parameter body: The work. It runs once, when the promise is first observed, on the thread that does
    ///   so; a throw rejects. The first call of the callback settles the promise, from any thread, and later
    ///   ones do nothing. If the callback goes away without having been called, the promise is rejected with
    ///   ``PromiseError/abandoned(_:)``. Cancelling the promise does not reach the work: for that, make it with
    ///   a ``Resolver``, which has ``Resolver/onCancel(_:)``.
    public static func fromCallback(
        _ body:
            @escaping @Sendable (
                _ callback: @escaping @Sendable (Result<Value, any Error>) -> Void
            ) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        Promise({ resolver in try body { resolver.resolve($0) } }, file: file, line: line)
    }

    /// A promise made of work that calls back once, with a value or an error, as older interfaces do.
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
    /// - Parameter body: The work, run as in the other form. When the callback comes with both, the error is
    ///   taken. With neither, the promise is rejected with ``PromiseError/abandoned(_:)``: whoever called
    ///   back has ended its work without settling anything, just as if it had let go of the callback, and
    ///   that error names the place where the promise was made.
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
