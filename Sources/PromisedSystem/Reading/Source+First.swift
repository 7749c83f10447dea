extension Source.Values {
    /// Returns the first value that satisfies the predicate; nil if the source ends before.
    ///
    /// <!-- fence: run -->
    /// ```swift
    /// @main enum Tool {
    ///     static func main() async {
    ///         let counter = System(
    ///             initialState: 0, scheduler: .serial("counter"), reducer: Reducer<Int, Int> { $0 += $1 })
    ///         counter.sendEvent(2)
    ///         let count = await counter.settled.values.first { $0 == 2 }
    ///         print(count ?? 0)
    ///     }
    /// }
    /// ```
    ///
    /// Unlike `AsyncSequence.first(where:)`, it calls the predicate on the actor of the caller, so that isolated code,
    /// such as the `main` of a program, can use it.
    ///
    /// - Parameter predicate: Called with the present value, and then with every change, until it returns true.
    nonisolated(nonsending) public func first(
        where predicate: (Value) throws -> Bool
    ) async rethrows -> Value? {
        for await value in self where try predicate(value) { return value }
        return nil
    }
}
