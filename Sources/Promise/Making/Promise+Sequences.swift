extension Promise {
    /// Creates a promise of the first element of an asynchronous sequence.
    ///
    /// ```swift
    /// let ticks = AsyncStream<Int> { continuation in
    ///     continuation.yield(1)
    ///     continuation.yield(2)
    /// }
    /// print(try await Promise.first(of: ticks).value)
    /// ```
    ///
    /// The iteration begins when the promise is first observed, in a task on the scheduler of the chain, and ends
    /// after the first element. An error of the sequence rejects the promise; a sequence that finishes without an
    /// element rejects it with ``PromiseError/empty``. Cancelling the promise, or its last observer, cancels the
    /// iterating task. There are no interim values.
    ///
    /// - Complexity: Constant, apart from the iteration up to the first element.
    public static func first<Elements: AsyncSequence & Sendable>(
        of sequence: Elements, file: StaticString = #fileID, line: UInt = #line
    ) -> Promise where Elements.Element == Value {
        Promise(
            { () async throws -> Value in
                for try await element in sequence { return element }
                throw PromiseError.empty
            }, file: file, line: line)
    }
}
