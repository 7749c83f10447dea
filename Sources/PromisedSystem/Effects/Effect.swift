public import Promise

/// A description of work that sends events; a ``Feedback`` starts it.
///
/// Creating an effect runs nothing. Its output is events only: an error goes to the system's `onError`, unless
/// `recover` has turned it into an event.
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

    /// An effect that wraps callback-based work: it may send any number of events, from any thread.
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
    /// - Parameter work: Called once per start, on the system's scheduler, with a handle to send events, to finish and
    ///   to observe cancellation.
    @inlinable
    public init(_ work: @escaping @Sendable (EffectHandle<Event>) -> Void) { self.init(work: .body(work)) }

    /// Starts the work. If the result is available synchronously, the effect has finished when this returns.
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
            effect.finish(sending: event.value)
        case .body(let body): withNestedTrampoline { body(effect) }
        }
    }
}

extension Effect {
    /// An effect that sends nothing and finishes immediately.
    @inlinable public static var none: Effect { sequence([]) }

    /// An effect that sends nothing and never finishes; it runs until it is cancelled.
    public static var never: Effect { Effect { _ in } }

    /// Sends these events in order, then finishes.
    @inlinable
    public static func just(_ events: Event...) -> Effect { sequence(events) }

    /// Sends these events in order, then finishes.
    @inlinable
    public static func sequence(_ events: [Event]) -> Effect { Effect(work: .events(events)) }

    /// Sends the interim values and the final value of a promise, then finishes.
    ///
    /// The promise is shared, so its work runs at most once, even if the effect is started several times. It is started
    /// on the system's scheduler. Cancelling the effect cancels the promise, unless the promise has other observers.
    @inlinable
    public static func promise(_ promise: Promise<Event>) -> Effect { Effect(work: .promise(promise)) }

    /// Sends every element of an asynchronous sequence, then finishes. The iteration runs on the system's scheduler,
    /// and is cancelled together with the effect.
    public static func values<Values: AsyncSequence & Sendable>(
        _ values: Values, file: StaticString = #fileID, line: UInt = #line
    ) -> Effect where Values.Element == Event {
        Effect { effect in
            effect.finish(
                with: Promise(
                    { for try await event in values { effect.send(event) } }, file: file, line: line))
        }
    }

    /// Sends the value that an `async` closure returns, then finishes. The closure runs as a task on the system's
    /// scheduler, unless it has a capture list: see `Promise.init`. It is cancelled together with the effect.
    public static func task(
        file: StaticString = #fileID, line: UInt = #line,
        _ work: nonisolated(nonsending) @escaping @Sendable () async throws -> Event
    ) -> Effect {
        // A new promise for each start, because one effect may be used by several systems.
        Effect { effect in effect.run(Promise(work, file: file, line: line)) }
    }

    /// Runs a synchronous closure that sends no events; an error that it throws goes to the system's `onError`.
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

    /// Runs an `async` closure that sends no events, as ``task(file:line:_:)`` does, then finishes; an error that it
    /// throws goes to the system's `onError`.
    public static func fireAndForget(
        file: StaticString = #fileID, line: UInt = #line,
        _ work: nonisolated(nonsending) @escaping @Sendable () async throws -> Void
    ) -> Effect {
        Effect { effect in effect.finish(with: Promise(work, file: file, line: line)) }
    }

    /// Cancels all work under this key that was requested before this effect, in every feedback, together with requests
    /// under the key that are still pending. It is a no-op if there are none. Work requested afterwards, even while the
    /// same event is processed, is not affected, and work started without a key never is.
    ///
    /// If this effect is started for an element of a collection, it only reaches work started for the same element or
    /// for elements inside it. Otherwise keys are shared by all lifted features of a system: cancelling a key cancels
    /// every feature's work under it. Use a key per feature.
    public static func cancel(_ key: EffectKey) -> Effect {
        Effect { effect in
            effect.context.port.cancel(key, by: effect.run)
            effect.finish()
        }
    }

    /// Starts the debounced work under this key that was requested before this effect, in every feedback, without
    /// waiting any longer: for the return key in a search field. The last request in the window of a throttle starts
    /// as well; the window stays as it is. It is a no-op if none is pending, and reaches the same work as ``cancel(_:)``.
    ///
    /// ```swift
    /// enum Event: Sendable { case typed(String), pressedReturn, found(Int) }
    ///
    /// let searching = Feedback<[Int], Event>.onEvent(
    ///     { if case .typed(let text) = $0 { text } else { nil } }, key: { _ in "search" },
    ///     policy: .debounce(.milliseconds(300))
    /// ) { text in Promise.value(.found(text.count)) }
    /// let hurrying = Feedback<[Int], Event>.onEvent(
    ///     { if case .pressedReturn = $0 { () } else { nil } }
    /// ) { Effect<Event>.flush("search") }
    /// ```
    public static func flush(_ key: EffectKey) -> Effect {
        Effect { effect in
            effect.context.port.flush(key, from: effect.run)
            effect.finish()
        }
    }

    /// Runs several effects concurrently, and finishes when all of them have finished. An effect that fails does not
    /// cancel the others.
    public static func merge(_ effects: [Effect]) -> Effect {
        Effect { whole in
            let remaining = Lock(effects.count)
            if effects.isEmpty { whole.finish() }
            for effect in effects {
                whole.begin(effect) { last in
                    let isOver = remaining.withLock { remaining in
                        remaining -= 1
                        return remaining == 0
                    }
                    if isOver { whole.end(nil, last) } else { last?(.atTheEnd) }
                }
            }
        }
    }

    /// Runs several effects concurrently, and finishes when all of them have finished.
    public static func merge(_ effects: Effect...) -> Effect { merge(effects) }

    /// Turns an error of this effect into an event, instead of reporting it to `onError`.
    public func recover(_ event: @escaping @Sendable (any Error) -> Event) -> Effect {
        recovering { error, _ in event(error) }
    }

    /// Turns an error of this effect into an event that also carries the time of the failure.
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
    /// - Parameter event: Returns the event for an error and the time of the failure, read from the clock of the
    ///   system's scheduler. To include the request that failed, capture it in this closure.
    public func recover(
        _ event: @escaping @Sendable (_ error: any Error, _ instant: Duration) -> Event
    ) -> Effect {
        recovering { error, effect in event(error, effect.scheduler.now) }
    }

    /// The clock is read only for an event that has the time: to an exploration, a read is a dependency.
    private func recovering(
        _ event: @escaping @Sendable (any Error, EffectHandle<Event>) -> Event
    ) -> Effect {
        Effect { effect in
            @Sendable func failed(_ error: any Error) -> Event { event(error, effect) }
            let part = SubEffect { error, last in
                if let error { effect.finish(sending: failed(error)) } else { effect.end(nil, last) }
            }
            let context = effect.context.handlingFailures { error in effect.send(failed(error)) }
            begin(EffectHandle(run: effect.run, context: context, part: part))
        }
    }

    /// Transforms every event that this effect sends.
    public func map<Other: Sendable>(_ transform: @escaping @Sendable (Event) -> Other) -> Effect<Other> {
        Effect<Other> { effect in
            let context = effect.context.compactMap(transform)
            begin(EffectHandle(run: effect.run, context: context, part: SubEffect(effect.end)))
        }
    }
}

/// A type that converts to an ``Effect``: an effect itself, or a promise of an event.
public protocol EffectSource<Event>: Sendable {
    /// The type of event that the effect sends.
    associatedtype Event: Sendable

    /// This value as an effect.
    var effect: Effect<Event> { get }
}

extension Effect: EffectSource {
    /// Returns this effect unchanged.
    @inlinable public var effect: Effect { self }
}

extension Promise: EffectSource {
    /// The values of the promise are the events.
    public typealias Event = Value

    /// An effect that sends the interim values and the final value of this promise; see ``Effect/promise(_:)``.
    @inlinable public var effect: Effect<Value> { .promise(self) }
}
