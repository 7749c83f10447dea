public import Promise

/// The connection of a stateless operator to its upstream source, shared by all subscribers.
///
/// It begins with the first subscriber and ends with the last, so the operator's closure is called once per value.
private final class SharedOperator<Value: Sendable>: Sendable {
    private let connect: @Sendable (Subject<Value>) -> Void
    private let current = Lock<Subject<Value>?>(nil)

    /// - Parameter connect: Subscribes to the upstream source; has published a value when it returns.
    init(_ connect: @escaping @Sendable (Subject<Value>) -> Void) { self.connect = connect }

    /// The last connection, which may have been closed; nil if there was none.
    var connected: Subject<Value>? { current.withLock { $0 } }

    /// The connection, created if there is none.
    ///
    /// It is created under no lock, as the operator's closure is called for the first value. Of two that are created at
    /// the same time, the first one that has a value is kept for both.
    private func connection() -> Subject<Value> {
        while true {
            let before = connected
            if let before, before.hasValue { return before }
            let subject = Subject<Value>(closesWhenUnused: true)
            connect(subject)
            let isKept = current.withLock { current in
                guard current === before else { return false }
                current = subject
                return true
            }
            if isKept { return subject }
            subject.closeIfUnused()
        }
    }

    func subscribe(
        replayCurrent: Bool, on scheduler: (any SerialScheduler)?,
        _ body: @escaping @Sendable (Value) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        let joined = Lock<Subject<Value>?>(nil)
        let listener = Listener(body, onEnd: onEnd)
        listener.begin(replayCurrent: replayCurrent, on: scheduler) { [self] listener in
            // A connection that was closed concurrently rejects the listener: the next call returns a new one.
            while !listener.isCancelled {
                let subject = connection()
                guard let (present, isOver) = subject.add(listener) else { continue }
                joined.withLock { $0 = subject }
                if !listener.isCancelled { return ({ present.value(as: Value.self) }, isOver) }
                subject.remove(listener)
            }
            return nil
        }
        // Weak, so that a token that outlives the owner does not retain what the subscriber captures.
        return SubscriptionToken(endsOnRelease: true) { [weak listener] in
            guard let listener else { return }
            listener.retire()
            joined.withLock { $0.take() }?.remove(listener)
        }
    }
}

extension Source {
    /// Creates the source of a stateless operator.
    ///
    /// - Parameters:
    ///   - scheduler: Where it delivers.
    ///   - isOfSystem: As in ``SourceIdentity``.
    ///   - isBehind: Whether the upstream source may have a value that has not arrived here yet: then a read computes
    ///     the value as if there were no subscribers, so that the result never depends on whether there are. Nil for
    ///     never.
    ///   - read: Computes the value for a read while there are no subscribers.
    ///   - connect: Subscribes a subject, referenced weakly, to the upstream source.
    @usableFromInline
    init(
        deliveringLike scheduler: (any SerialScheduler)?, isOfSystem: Bool = false,
        isBehind: (@Sendable () -> Bool)?, read: @escaping @Sendable () -> Value,
        connect: @escaping @Sendable (Subject<Value>) -> Void
    ) {
        let shared = SharedOperator(connect)
        let isBehind = { @Sendable in isBehind?() ?? false || shared.connected?.isBehind ?? false }
        self.init(
            identity: SourceIdentity<Value>(scheduler, isOfSystem: isOfSystem),
            // An exploration has to see what the value is made of.
            read: { isThreadObserved || isBehind() ? read() : shared.connected?.present ?? read() },
            isNotifying: { isBehind() || shared.connected?.isNotifying ?? false }
        ) { replayCurrent, body, onEnd in
            shared.subscribe(replayCurrent: replayCurrent, on: scheduler, body, onEnd: onEnd)
        }
    }

    /// Creates the source of a stateful operator, which is subscribed to this source until the result and its
    /// subscriptions are released.
    ///
    /// - Parameters:
    ///   - first: Makes the first value from the present one.
    ///   - next: Makes the next value from the previous one and a change; nil for no change.
    @inlinable
    func remembering<Output: Sendable>(
        first: @escaping @Sendable (Value) -> Output,
        next: @escaping @Sendable (Output, Value) -> Output?
    ) -> Source<Output> {
        let subject = Subject<Output>()
        feed(subject) { subject, value in
            // Values arrive one at a time, so the previous one is unchanged until this publishes.
            if let before = subject.present {
                if let output = next(before, value) { subject.publish(output) }
            } else {
                subject.publish(first(value))
            }
        }
        // Subscribing inside a reducer is deferred: then the first value has not been received yet.
        return subject.source(SourceIdentity(scheduler)) { [read] in subject.present ?? first(read()) }
    }

    /// Subscribes a subject to this source, without retaining it.
    @inlinable
    func feed<Output: Sendable>(
        _ subject: Subject<Output>, _ body: @escaping @Sendable (Subject<Output>, Value) -> Void
    ) {
        let receive: @Sendable (Value) -> Void = { [weak subject] value in
            if let subject { body(subject, value) }
        }
        subject.keep(attach(true, receive) { [weak subject] in subject?.finish() })
    }
}
