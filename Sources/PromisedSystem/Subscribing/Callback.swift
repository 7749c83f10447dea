internal import Promise
internal import Synchronization

/// A user closure together with its actor isolation.
///
/// An `@isolated(any)` closure carries its isolation at run time: a closure from main-actor code may use main-actor
/// state, and must be called on the main actor. This is the only type that calls such closures.
@usableFromInline
final class Callback<Input: Sendable>: Sendable {
    private enum Isolation: Sendable {
        case anywhere
        case mainActor
        case scheduler(any SerialScheduler)
        /// Another actor. It can only be reached from a task; the stream preserves the order of calls.
        case otherActor(AsyncStream<Input>.Continuation)
    }

    private let body: @Sendable (Input) -> Void
    private let place: Isolation
    private let isActive = Atomic(true)
    /// The number of calls in flight to the main queue.
    private let inFlight = Atomic(0)

    // The casts remove the isolation from the closure's type, and `call` restores it by calling on the right actor or
    // scheduler. `MainActor.assumeIsolated` does the same; the language has no safe form of it yet.

    /// Wraps a closure of one argument.
    convenience init(_ body: @escaping @isolated(any) @Sendable (Input) -> Void) {
        let plain = unsafeBitCast(body, to: (@Sendable (Input) -> Void).self)
        self.init(plain, isolation: body.isolation)
    }

    /// Wraps a closure that is called on a scheduler.
    init(on scheduler: any SerialScheduler, _ body: @escaping @Sendable (Input) -> Void) {
        (self.body, place) = (body, .scheduler(scheduler))
    }

    /// Wraps a closure of two arguments.
    convenience init<First, Second>(
        joining body: @escaping @isolated(any) @Sendable (First, Second) -> Void
    ) where Input == (First, Second) {
        let plain = unsafeBitCast(body, to: (@Sendable (First, Second) -> Void).self)
        self.init({ plain($0.0, $0.1) }, isolation: body.isolation)
    }

    /// Wraps a method of an object, which is referenced weakly. The method is called with the result of `argument`; not
    /// if that is nil.
    convenience init<Object: AnyObject & Sendable, Argument>(
        _ object: Object,
        _ method: @escaping @Sendable (Object) -> @isolated(any) @Sendable (Argument) -> Void,
        argument: @escaping @Sendable (Input) -> Argument?
    ) {
        let body: @Sendable (Input) -> Void = { [weak object] input in
            guard let object, let argument = argument(input) else { return }
            unsafeBitCast(method(object), to: (@Sendable (Argument) -> Void).self)(argument)
        }
        self.init(body, isolation: method(object).isolation)
    }

    /// Wraps a method without arguments of an object, which is referenced weakly.
    convenience init<Object: AnyObject & Sendable>(
        _ object: Object, _ method: @escaping @Sendable (Object) -> @isolated(any) @Sendable () -> Void
    ) {
        let body: @Sendable (Input) -> Void = { [weak object] _ in
            if let object { unsafeBitCast(method(object), to: (@Sendable () -> Void).self)() }
        }
        self.init(body, isolation: method(object).isolation)
    }

    private init(_ body: @escaping @Sendable (Input) -> Void, isolation: (any Actor)?) {
        self.body = body
        switch isolation {
        case nil: place = .anywhere
        case let actor? where actor === MainActor.shared: place = .mainActor
        case let actor?:
            let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
            place = .otherActor(continuation)
            Task { [weak self] in
                for await input in inputs { await self?.callIfActive(input, on: actor) }
            }
        }
    }

    deinit {
        if case .otherActor(let continuation) = place { continuation.finish() }
    }

    /// Stops all calls, including those in flight to an actor or scheduler.
    func retire() { isActive.store(false, ordering: .releasing) }

    // MARK: Calling

    /// Calls the closure, if it is active: synchronously if possible, otherwise on its actor or scheduler.
    @usableFromInline
    func call(_ input: Input) {
        guard isActive.load(ordering: .acquiring) else { return }
        if case .anywhere = place { body(input) } else { hopAndCall(input) }
    }

    // Separate from `call`, the common path, so that its stack frame has no room for the copies of these cases.
    private func hopAndCall(_ input: Input) {
        switch place {
        case .anywhere: body(input)
        case .mainActor: callOnMain(input)
        case .scheduler(let scheduler):
            scheduler.schedule(ScheduledWork.once { [self] in callIfActive(input) })
        case .otherActor(let continuation): continuation.yield(input)
        }
    }

    /// Calls synchronously on the main thread, unless calls are in flight: then it is enqueued behind them, to keep the
    /// order and to avoid re-entrant calls.
    private func callOnMain(_ input: Input) {
        if MainScheduler.main.isCurrent, inFlight.load(ordering: .acquiring) == 0 { return body(input) }
        inFlight.wrappingAdd(1, ordering: .acquiringAndReleasing)
        MainScheduler.main.schedule(after: .zero) { [self] in
            callIfActive(input)
            inFlight.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        }
    }

    private func callIfActive(_ input: Input) { if isActive.load(ordering: .acquiring) { body(input) } }

    private func callIfActive(_ input: Input, on _: isolated any Actor) { callIfActive(input) }
}
