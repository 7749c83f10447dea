extension System {
    /// Logs a line for each event: its turn, the outcome, how long it took and was pending before, and where it was
    /// sent. Control characters are escaped.
    ///
    /// ```swift
    /// let counter = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
    /// counter.logTurns { print($0) }
    /// counter.sendEvent(2)
    /// // 1 2: settled, took 12.3 µs, waited 0 ns (App/main.swift:3)
    /// ```
    ///
    /// No state is read or compared; for changes of the state, use `printChanges(limits:to:)`.
    ///
    /// - Parameter output: Called once for each event with its line, on the system's scheduler when the turn is over.
    /// - Returns: A token that ends the log when cancelled. Without that, it continues as long as the system.
    @discardableResult
    public func logTurns(to output: @escaping @Sendable (String) -> Void) -> SubscriptionToken {
        onLoop { record in
            let event = ValueText(event: record.event)
            let times = "took \(record.duration.timeText), waited \(record.queueWait.timeText)"
            output(
                "\(record.number) \(event): \(record.outcome), \(times) (\(record.origin))".escapedForTerminal
            )
        }
    }
}

extension Duration {
    /// As for nanoseconds; more than 68 years are as many.
    fileprivate var timeText: String {
        let (seconds, rest) = components
        return (Int(max(-1 << 31, min(1 << 31, seconds))) * 1_000_000_000 + Int(rest / 1_000_000_000))
            .timeText
    }
}
