extension Source {
    /// The same value, which is printed now and whenever it changes, as long as this source or a subscription
    /// to it is kept.
    ///
    /// ```swift
    /// let printed = Source.constant(4).printUpdates(label: "count") { print($0) }
    /// // count: initial 4
    /// print(printed.value)
    /// ```
    ///
    /// - Parameters:
    ///   - label: Stands before each line.
    ///   - describe: The text of a value.
    ///   - sink: Receives a line for each value: the first, marked as initial, right here; the others where the
    ///     owner delivers.
    public func printUpdates(
        label: String = "\(Value.self)", describe: @escaping @Sendable (Value) -> String = { "\($0)" },
        to context: @escaping @Sendable (String) -> Void
    ) -> Source {
        let told = { @Sendable (kind: String, value: Value) in
            context("\(label): \(kind) \(describe(value))")
            return value
        }
        return remembering(first: { told("initial", $0) }, next: { told("updated", $1) })
    }
}
