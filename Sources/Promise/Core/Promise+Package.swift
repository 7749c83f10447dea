// The parts of the promise's implementation that the package's other modules use.

/// The scheduler on which the chains run that the calling thread starts; nil if none was set.
package var inheritedScheduler: (any SerialScheduler)? {
    get { Trampoline.current.scheduler }
    set { Trampoline.current.scheduler = newValue }
}

/// Runs `body` on this thread; chains that it starts run on `scheduler`, unless they name one.
package func inheriting<Result>(_ scheduler: any SerialScheduler, _ body: () -> Result) -> Result {
    Trampoline.current.inherit(scheduler, body)
}

/// The identity of the calling thread: unique among the threads that are alive, and never 0.
@usableFromInline
package var currentThread: UInt { Trampoline.current.address }

/// Runs `body` with a trampoline queue of its own: everything that `body` settles or starts has been delivered when
/// this returns, even if it is called during another promise's delivery.
@usableFromInline
package func withNestedTrampoline<Result>(_ body: () -> Result) -> Result { Trampoline.nested(body) }

extension Promise {
    /// The outcome if the promise has settled, otherwise nil. Starts nothing and does not mark an error as handled.
    @usableFromInline package var settledOutcome: Outcome<Value>? {
        guard let storage = reference?.storage else {
            return .fulfilled(ValueBox(content: .inline(inlineValue)))
        }
        return storage.isSettled ? storage.outcome(of: Value.self) : nil
    }
}

extension Promise {
    /// The value of a promise that is fulfilled and has no leading interim values, otherwise nil.
    @inlinable @inline(__always) package var fulfilledValue: ValueBox<Value>? {
        guard leadingInterims == nil else { return nil }
        guard let storage = reference?.storage else { return ValueBox(content: .inline(inlineValue)) }
        guard storage.isFulfilled else { return nil }
        if hasChainObservers { Trampoline.noteJoining(storage) }
        return storage.box(of: Value.self)
    }

    /// Like `flatMap`, but also forwards the interim values of this promise, which must have the same type.
    package func flatMapForwardingInterims(
        at origin: Origin, _ next: @escaping @Sendable (Value) throws -> Promise
    ) -> Promise {
        chain(origin: origin) {
            switch $0 {
            case .fulfilled(let box): try next(box.value)
            case .rejected(let failure): Promise(failure.rejection)
            }
        }
    }
}
