internal import Promise
internal import Synchronization

/// A closure of the user's together with the actor that it belongs to.
///
/// The compiler notes in the closure's type where it was written: a closure from main-actor code may touch
/// main-actor state, and must be called there. This is the one place that calls such closures.
@usableFromInline
final class Callback<Input: Sendable>: Sendable {
    private enum Place: Sendable {
        case anywhere
        case mainActor
        case scheduler(any SerialScheduler)
        /// Another actor can only be reached by a task; the stream keeps the order.
        case elsewhere(AsyncStream<Input>.Continuation)
    }

    private let body: @Sendable (Input) -> Void
    /// Asked before the actor is looked for; nil for always.
    private let isWanted: (@Sendable (Input) -> Bool)?
    private let place: Place
    private let life = Atomic(Life.active)
    /// Calls that are on their way to the main queue.
    private let underWay = Atomic(0)

    // The casts take the isolation out of the closure's type, and `call` puts it back by calling in the
    // right place. It is what `MainActor.assumeIsolated` does; the language has no safe form of it yet.

    /// A closure of one argument.
    convenience init(_ body: @escaping @isolated(any) @Sendable (Input) -> Void) {
        let plain = unsafeBitCast(body, to: (@Sendable (Input) -> Void).self)
        self.init(plain, isolation: body.isolation) { await body($0) }
    }

    /// A closure that is called on a scheduler.
    init(on scheduler: any SerialScheduler, _ body: @escaping @Sendable (Input) -> Void) {
        self.body = body
        isWanted = nil
        place = .scheduler(scheduler)
    }

    /// A closure of two arguments.
    convenience init<First, Second>(
        joining body: @escaping @isolated(any) @Sendable (First, Second) -> Void
    ) where Input == (First, Second) {
        let plain = unsafeBitCast(body, to: (@Sendable (First, Second) -> Void).self)
        self.init({ plain($0.0, $0.1) }, isolation: body.isolation) { await body($0.0, $0.1) }
    }

    /// A closure of two arguments, which is not called when they are equal.
    convenience init<Value>(
        joining body: @escaping @isolated(any) @Sendable (Value, Value) -> Void,
        unless areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) where Input == (before: ValueBox<Value>, after: ValueBox<Value>) {
        let plain = unsafeBitCast(body, to: (@Sendable (Value, Value) -> Void).self)
        self.init(
            { plain($0.before.value, $0.after.value) }, isolation: body.isolation,
            isWanted: { !areEqual($0.before.value, $0.after.value) }
        ) {
            await body($0.before.value, $0.after.value)
        }
    }

    /// A method of an object, which this does not hold; called with what `argument` makes of the input, unless that
    /// is nil.
    convenience init<Object: AnyObject & Sendable, Argument>(
        _ object: Object,
        _ method: @escaping @Sendable (Object) -> @isolated(any) @Sendable (Argument) -> Void,
        argument: @escaping @Sendable (Input) -> Argument?
    ) {
        self.init(
            { [weak object] input in
                guard let object, let argument = argument(input) else { return }
                unsafeBitCast(method(object), to: (@Sendable (Argument) -> Void).self)(argument)
            }, isolation: method(object).isolation
        ) { [weak object] input in
            guard let object, let argument = argument(input) else { return }
            await method(object)(argument)
        }
    }

    /// A method without arguments of an object, which this does not hold.
    convenience init<Object: AnyObject & Sendable>(
        _ object: Object, _ method: @escaping @Sendable (Object) -> @isolated(any) @Sendable () -> Void
    ) {
        self.init(
            { [weak object] _ in
                if let object { unsafeBitCast(method(object), to: (@Sendable () -> Void).self)() }
            }, isolation: method(object).isolation
        ) { [weak object] _ in
            if let object { await method(object)() }
        }
    }

    private init(
        _ body: @escaping @Sendable (Input) -> Void, isolation: (any Actor)?,
        isWanted: (@Sendable (Input) -> Bool)? = nil,
        hop: @escaping @Sendable (Input) async -> Void
    ) {
        self.body = body
        self.isWanted = isWanted
        switch isolation {
        case nil: place = .anywhere
        case let actor? where actor === MainActor.shared: place = .mainActor
        default:
            let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
            place = .elsewhere(continuation)
            Task { [weak self] in
                for await input in inputs where self?.isActive == true { await hop(input) }
            }
        }
    }

    deinit {
        if case .elsewhere(let continuation) = place { continuation.finish() }
    }

    // MARK: Its life

    private var isActive: Bool { life.load(ordering: .acquiring) == Life.active }

    /// Tells it nothing any more, not even what is under way to it.
    func retire() { life.store(Life.retired, ordering: .releasing) }

    // MARK: Calling

    /// Calls the closure, if it is active: right here, unless it belongs to an actor that this is not.
    @usableFromInline
    func call(_ input: Input) {
        guard isActive, isWanted?(input) ?? true else { return }
        if case .anywhere = place { body(input) } else { callElsewhere(input) }
    }

    // Apart from `call`, which is the way of most and would have room for the copies of all of them.
    private func callElsewhere(_ input: Input) {
        switch place {
        case .anywhere: body(input)
        case .mainActor: callOnMain(input)
        case .scheduler(let scheduler):
            scheduler.schedule(ScheduledWork.once { [self] in if isActive { body(input) } })
        case .elsewhere(let continuation): continuation.yield(input)
        }
    }

    /// Behind what is on its way there already, for the order and so that no call is made inside another.
    private func callOnMain(_ input: Input) {
        if MainScheduler.main.isCurrent, underWay.load(ordering: .acquiring) == 0 { return body(input) }
        callOnMainLater(input)
    }

    private func callOnMainLater(_ input: Input) {
        underWay.wrappingAdd(1, ordering: .acquiringAndReleasing)
        MainScheduler.main.schedule(after: .zero) { [self] in
            if isActive { body(input) }
            underWay.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        }
    }
}

private enum Life: UInt8, AtomicRepresentable {
    case active
    case retired
}
