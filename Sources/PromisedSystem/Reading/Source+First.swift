extension Source.Values {
    /// The first value for which the predicate is true; nil if the source ends before.
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
    /// Unlike the method of every `AsyncSequence`, it calls the predicate where it was called itself: code of an actor,
    /// the `main` of a program included, can use it.
    ///
    /// - Parameter predicate: Called with the present value, and then with every change.
    nonisolated(nonsending) public func first(
        where predicate: (Value) throws -> Bool
    ) async rethrows -> Value? {
        for await value in self where try predicate(value) { return value }
        return nil
    }
}
