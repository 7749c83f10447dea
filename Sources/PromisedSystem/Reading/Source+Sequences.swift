public import Promise

extension Source {
    /// The latest element of an asynchronous sequence.
    ///
    /// ```swift
    /// let (ticks, ticking) = AsyncStream.makeStream(of: Int.self)
    /// let latest = Source(initial: 0, updates: ticks)
    /// ticking.yield(1)
    /// for await tick in latest.values where tick == 1 { break }
    /// print(latest.value)
    /// ```
    ///
    /// The iteration begins when the source is first read or subscribed to. It is cancelled when the source and its
    /// subscriptions have gone; when the sequence ends first, the last value stays. The other way, from a source to
    /// a sequence, is ``values``.
    ///
    /// - Parameters:
    ///   - initial: The value until there is an element; made at most once, when it is first needed.
    ///   - updates: Every element is told, equal ones included.
    ///   - scheduler: Where the iteration and the subscribers run; nil for wherever the tasks of no actor run.
    public init<Updates: AsyncSequence & Sendable>(
        initial: @autoclosure @escaping @Sendable () -> Value, updates: Updates,
        on scheduler: (any SerialScheduler)? = nil
    ) where Updates.Element == Value, Updates.Failure == Never {
        let node = SharedOperator<Value>(isPermanent: true) { broadcaster in
            broadcaster.publish(initial())
            let task = Task(executorPreference: scheduler?.taskExecutor) { [weak broadcaster] in
                for await value in updates {
                    guard let broadcaster else { return }
                    broadcaster.publish(value)
                }
                broadcaster?.finish()
            }
            broadcaster.keep(SubscriptionToken(endsOnRelease: true) { task.cancel() })
        }
        self.init(node, scheduler) { node.connection().present?.value ?? initial() }
    }
}
