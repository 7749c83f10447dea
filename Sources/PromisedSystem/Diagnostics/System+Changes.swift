extension System {
    /// Prints every event with the changes that it made to the state, using ``onLoop(_:)``.
    ///
    /// ```swift
    /// let counter = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
    /// counter.printChanges()
    /// counter.sendEvent(2)
    /// // 2: 0 → 2
    /// ```
    ///
    /// The states are compared in every turn, which costs time: use it during development.
    ///
    /// - Parameters:
    ///   - limits: How many values are compared and how many changes are printed.
    ///   - output: Called once for each event, with all its lines, on the system's scheduler when the turn is over;
    ///     by default, `print`.
    /// - Returns: A token that ends the printing when cancelled. Without that, it continues as long as the system.
    @discardableResult
    public func printChanges(
        limits: StateDiff.Limits = .init(), to output: @escaping @Sendable (String) -> Void = { print($0) }
    ) -> SubscriptionToken {
        onLoop { record in
            let event = ValueText(event: record.event).description
            guard case .settled = record.outcome else { return output("\(event): \(record.outcome)") }
            let diff = StateDiff(from: record.before, to: record.after, limits: limits)
            let lines = diff.description
            if diff.changes.isEmpty { return output("\(event): no change") }
            output(diff.changes.count == 1 && diff.isComplete ? "\(event): \(lines)" : "\(event):\n\(lines)")
        }
    }
}
