public import Promise

extension Listener {
    /// Joins a list of subscribers, and delivers the present value if requested. Deferred until a running reducer has
    /// returned, as that may hold what this needs.
    ///
    /// - Parameters:
    ///   - scheduler: Where the owner of the list delivers; nil if that is the thread that publishes a value.
    ///   - join: Adds the listener to the list. Returns the present value at that moment, and whether the end had
    ///     already been delivered; nil if it was cancelled meanwhile.
    @usableFromInline
    func begin(
        replayCurrent: Bool, on scheduler: (any SerialScheduler)?,
        join: @escaping @Sendable (Listener) -> (present: @Sendable () -> Message, isOver: Bool)?
    ) {
        if replayCurrent { beginReplay() }
        ReducerScope.afterReducer { [self] in
            // The reducer that subscribed may have cancelled before it returned.
            guard !isCancelled, let (present, isOver) = join(self) else { return }
            if replayCurrent { replay(present(), on: scheduler) }
            if isOver { finish() }
        }
    }
}
