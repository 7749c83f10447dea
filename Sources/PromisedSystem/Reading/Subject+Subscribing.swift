public import Promise

extension Subject {
    /// Adds a subscriber, which then misses no later value.
    ///
    /// - Returns: The present value when it joined, and whether the end had already been published; nil if this is
    ///   closed or has no value yet.
    func add(_ listener: Listener<Value>) -> (present: UntypedBox, isOver: Bool)? {
        contents.withLock { contents in
            guard let present = contents.present else { return nil }
            _ = listener.add(to: &contents.table)
            return (present, contents.isOver)
        }
    }

    func remove(_ listener: Listener<Value>) {
        if contents.withLock({ listener.remove(from: &$0.table) }) { closeIfUnused() }
    }

    /// Closes it if it has no subscriber: it then publishes nothing and rejects new subscribers.
    func closeIfUnused() {
        guard closesWhenUnused else { return }
        let past = contents.withLock { contents -> (UntypedBox?, [SubscriptionToken]) in
            contents.table.isEmpty ? (contents.present.take(), contents.end()) : (nil, [])
        }
        withExtendedLifetime(past) {}
    }

    /// Subscribes to the value, which must have been set when `prepare` returns.
    ///
    /// - Parameters:
    ///   - scheduler: Where it delivers; nil if that is the thread that publishes a value.
    ///   - prepare: Called before the subscriber joins.
    @usableFromInline
    func subscribe(
        replayCurrent: Bool, on scheduler: (any SerialScheduler)?,
        _ body: @escaping @Sendable (Value) -> Void,
        onEnd: @escaping @Sendable () -> Void, _ prepare: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        let listener = Listener(body, onEnd: onEnd)
        listener.begin(replayCurrent: replayCurrent, on: scheduler) { [self] listener in
            prepare()
            guard let (present, isOver) = add(listener) else { return nil }
            // It may have been cancelled before it joined.
            if listener.isCancelled { remove(listener) }
            return ({ present.value(as: Value.self) }, isOver)
        }
        // Weak, so that a token that outlives the owner does not retain what the subscriber captures.
        return SubscriptionToken(endsOnRelease: true) { [self, weak listener] in
            guard let listener else { return }
            listener.retire()
            remove(listener)
        }
    }

    /// The source of the value. All sources with one identity are equal.
    ///
    /// - Parameters:
    ///   - identity: What the sources of the value share.
    ///   - read: Called before each read and subscription; sets the first value, and returns the present one. The
    ///     source retains it, but its subscriptions do not.
    @inlinable
    package func source(
        _ identity: SourceIdentity<Value>, read: @escaping @Sendable () -> Value
    ) -> Source<Value> {
        Source(identity: identity, read: read, isNotifying: { [self] in isNotifying }) {
            [self] replayCurrent, body, onEnd in
            subscribe(replayCurrent: replayCurrent, on: identity.scheduler, body, onEnd: onEnd) { _ = read() }
        }
    }
}
