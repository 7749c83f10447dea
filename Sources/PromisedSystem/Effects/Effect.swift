public import Promise

/// Work that sends events: what a ``Feedback`` starts, described.
///
/// Making one runs nothing. What it may send are events; when it fails, the error goes to the system's `onError`,
/// unless it was made an event before.
public struct Effect<Event: Sendable>: Sendable {
    @usableFromInline
    enum Work: Sendable {
        case events([Event])
        case promise(Promise<Event>)
        case body(@Sendable (EffectHandle<Event>) -> Void)
    }

    @usableFromInline let work: Work

    @inlinable
    init(work: Work) { self.work = work }

    /// Work that calls back, any number of times and from any thread.
    ///
    /// ```swift
    /// let reminder = Effect<String> { effect in
    ///     let timer = effect.scheduler.schedule(after: .seconds(60)) {
    ///         effect.send("still there?")
    ///         effect.finish()
    ///     }
    ///     effect.onCancel { timer.cancel() }
    /// }
    /// ```
    ///
    /// - Parameter work: Called once, on the system's scheduler, with the way to send events, to say that it is
    ///   over, and to be told when nobody wants it any more.
    @inlinable
    public init(_ work: @escaping @Sendable (EffectHandle<Event>) -> Void) { self.init(work: .body(work)) }

    /// Begins the work; what can answer at once has answered when this returns.
    @inlinable
    func begin(_ effect: EffectHandle<Event>) {
        switch work {
        case .events(let events):
            for event in events { effect.send(event) }
            effect.finish()
        case .promise(let promise):
            guard let event = promise.fulfilledValue else {
                return withNestedTrampoline { effect.run(promise) }
            }
            effect.send(event.value)
            effect.finish()
        case .body(let body): withNestedTrampoline { body(effect) }
        }
    }
}

extension Effect {
    /// Work that does nothing, and is over at once.
    @inlinable public static var none: Effect { sequence([]) }

    /// Work that does nothing, and is never over.
    public static var never: Effect { Effect { _ in } }

    /// Sends these events, in order.
    @inlinable
    public static func just(_ events: Event...) -> Effect { sequence(events) }

    /// Sends these events, in order.
    @inlinable
    public static func sequence(_ events: [Event]) -> Effect { Effect(work: .events(events)) }

    /// Sends what the promise reports meanwhile and comes to.
    ///
    /// It is that one promise, which runs once, whoever starts it first. It is started on the system's scheduler. When the effect is cancelled, so is the promise, unless somebody
    /// else is interested in it.
    @inlinable
    public static func promise(_ promise: Promise<Event>) -> Effect { Effect(work: .promise(promise)) }

    /// Sends every element of an asynchronous sequence. The iteration runs on the system's scheduler, and is
    /// cancelled with the effect.
    public static func values<Values: AsyncSequence & Sendable>(
        _ values: Values, file: StaticString = #fileID, line: UInt = #line
    ) -> Effect where Values.Element == Event {
        Effect { effect in
            effect.finish(
                with: Promise(
                    { for try await event in values { effect.send(event) } }, file: file, line: line))
        }
    }

    /// Sends what `async` work returns. It runs as a task on the system's scheduler, and is cancelled with the
    /// effect.
    public static func task(
        file: StaticString = #fileID, line: UInt = #line, _ work: @escaping @Sendable () async throws -> Event
    ) -> Effect {
        // A promise of its own at each start: the effect may serve several systems.
        Effect { effect in effect.run(Promise(work, file: file, line: line)) }
    }

    /// Work that sends nothing.
    public static func fireAndForget(_ work: @escaping @Sendable () throws -> Void) -> Effect {
        Effect { effect in
            do {
                try work()
                effect.finish()
            } catch {
                effect.fail(error)
            }
        }
    }

    /// Cancels the work of this key that was asked for before, whichever feedback asked for it, and what of it still
    /// waits to start; nothing where there is none. Work that is asked for afterwards, in the same turn as well, is
    /// not meant, and work that was started without a key never is.
    ///
    /// Work for an element of a collection reaches what was started for the same element, or inside it. Parts that were
    /// lifted otherwise are no border: two of them that use one key mean each other's work.
    public static func cancel(_ key: EffectKey) -> Effect {
        Effect { effect in
            effect.context.cancel(key, effect.run)
            effect.finish()
        }
    }

    /// Several, side by side; over when all of them are. One that fails does not end the others.
    public static func merge(_ effects: [Effect]) -> Effect {
        Effect { whole in
            let left = Lock(effects.count)
            if effects.isEmpty { whole.finish() }
            for effect in effects {
                whole.begin(effect) {
                    if left.withLock({
                        $0 -= 1; return $0 == 0
                    }) {
                        whole.finish()
                    }
                }
            }
        }
    }

    /// Several, side by side; over when all of them are.
    public static func merge(_ effects: Effect...) -> Effect { merge(effects) }

    /// The same work, whose error becomes an event.
    public func recover(_ event: @escaping @Sendable (any Error) -> Event) -> Effect {
        recover { error, _ in event(error) }
    }

    /// The same work, whose error becomes an event that says when it failed.
    ///
    /// ```swift
    /// enum Shop: Sendable { case buy(String), failed(buying: String, at: Duration, reason: String) }
    ///
    /// let buying = Feedback<[Shop], Shop>.onEvent({ if case .buy(let item) = $0 { item } else { nil } }) { item in
    ///     Effect<Shop>.task { throw CancellationError() }
    ///         .recover { error, instant in Shop.failed(buying: item, at: instant, reason: "\(error)") }
    /// }
    /// ```
    ///
    /// - Parameter event: Makes an event of the error, and of the time by the clock of the system's scheduler. What the
    ///   work was for is at hand where it was made.
    public func recover(
        _ event: @escaping @Sendable (_ error: any Error, _ instant: Duration) -> Event
    ) -> Effect {
        Effect { effect in
            @Sendable func failed(_ error: any Error) -> Event { event(error, effect.scheduler.now) }
            let part = SubEffect { error in
                if let error { effect.finish(sending: failed(error)) } else { effect.finish() }
            }
            let context = effect.context.hearing { error in effect.send(failed(error)) }
            begin(EffectHandle(run: effect.run, context: context, part: part))
        }
    }

    /// The same work, whose events are made others.
    public func map<Other: Sendable>(_ transform: @escaping @Sendable (Event) -> Other) -> Effect<Other> {
        Effect<Other> { effect in
            begin(
                EffectHandle(
                    run: effect.run, context: effect.context.compactMap(transform),
                    part: SubEffect(effect.end)))
        }
    }
}
