extension System {
    /// Prints every event and what it has changed: a layer over ``onLoop(_:)``.
    ///
    /// ```swift
    /// let counter = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
    /// counter.printChanges()
    /// counter.sendEvent(2)
    /// // 2: 0 → 2
    /// ```
    ///
    /// Finding the changes costs time in every turn: it is for development.
    ///
    /// - Parameters:
    ///   - limits: How much of the states is looked at and told.
    ///   - sink: Receives the lines of an event at once, when its turn is over, on the system's scheduler;
    ///     prints them if left out.
    /// - Returns: The way to end it; it lasts as long as the system otherwise.
    @discardableResult
    public func printChanges(
        limits: StateDiff.Limits = .init(), to context: @escaping @Sendable (String) -> Void = { print($0) }
    ) -> SubscriptionToken {
        onLoop { record in
            let event = ValueText(event: record.event).description
            switch record.outcome {
            case .settled:
                let diff = StateDiff(from: record.before, to: record.after, limits: limits)
                let lines = diff.description
                if diff.changes.isEmpty { return context("\(event): no change") }
                context(
                    diff.changes.count == 1 && diff.isComplete ? "\(event): \(lines)" : "\(event):\n\(lines)")
            case .missed: context("\(event): for a part that is not there")
            case .failed(let error): context("\(event): failed: \(error)")
            case .cancelled: context("\(event): cancelled")
            case .stopped: context("\(event): stopped by middleware")
            case .dropped(let reason): context("\(event): dropped: \(reason)")
            }
        }
    }
}
