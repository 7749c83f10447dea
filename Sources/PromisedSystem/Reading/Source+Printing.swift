extension Source {
    /// Prints the present value and every change, for as long as the returned source or a subscription to it is
    /// retained.
    ///
    /// ```swift
    /// let printed = Source.constant(4).printUpdates(label: "count") { print($0) }
    /// // count: initial 4
    /// print(printed.value)
    /// ```
    ///
    /// - Parameters:
    ///   - label: The prefix of each line.
    ///   - describe: Returns the text of a value.
    ///   - sink: Called with a line for each value: the first, marked as initial, synchronously; the others where the
    ///     owner delivers.
    public func printUpdates(
        label: String = "\(Value.self)", describe: @escaping @Sendable (Value) -> String = { "\($0)" },
        to sink: @escaping @Sendable (String) -> Void
    ) -> Source {
        let log = { @Sendable (kind: String, value: Value) in
            sink("\(label): \(kind) \(describe(value))")
            return value
        }
        return remembering(first: { log("initial", $0) }, next: { log("updated", $1) })
    }
}
