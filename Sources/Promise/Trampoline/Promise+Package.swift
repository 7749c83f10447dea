// What the package's other modules need of the kernel.

/// A stay on a scheduler: until it ends, what the thread starts belongs to that scheduler.
@usableFromInline
package struct SchedulerScope: ~Copyable {
    private let trampoline: Trampoline
    private let outer: (any SerialScheduler)?

    @usableFromInline
    package init(on scheduler: any SerialScheduler) {
        trampoline = Trampoline.current
        outer = trampoline.scheduler
        trampoline.scheduler = scheduler
    }

    deinit { trampoline.scheduler = outer }

    /// Which thread this is, as long as it lives.
    @usableFromInline package var thread: UInt { trampoline.address }
}

@available(*, unavailable)
extension SchedulerScope: Sendable {}

/// Which thread this is, as long as it lives; never 0.
@usableFromInline
package var currentThread: UInt { Trampoline.current.address }

/// Runs `body` with a work list of its own: what it settles or starts has been delivered when this returns,
/// even in the middle of another promise's delivery.
@usableFromInline
package func withNestedTrampoline<Result>(_ body: () -> Result) -> Result { Trampoline.nested(body) }

extension Promise {
    /// The outcome if it is there, without starting anything and without asking for the error.
    @usableFromInline package var settledOutcome: Outcome<Value>? {
        switch representation {
        case .word(let word): .fulfilled(ValueBox(content: .word(word)))
        case .rejected(let rejection): .rejected(Failure(rejection))
        case .storage(let reference):
            reference.storage.isSettled ? reference.storage.outcome(of: Value.self) : nil
        }
    }
}

extension Promise {
    /// The value of a promise that is no more than that: fulfilled, with nothing to show before.
    @inlinable package var fulfilledValue: ValueBox<Value>? {
        guard leadingInterims == nil else { return nil }
        switch representation {
        case .word(let word): return ValueBox(content: .word(word))
        case .rejected: return nil
        case .storage(let reference):
            return reference.storage.isFulfilled ? reference.storage.box(of: Value.self) : nil
        }
    }

    /// Goes on with the promise that `next` makes of the value; unlike `flatMap` with this one's interim values.
    package func goOn(
        at origin: Origin, _ next: @escaping @Sendable (Value) throws -> Promise
    ) -> Promise {
        chain(origin: origin) { outcome in
            guard case .fulfilled(let box) = outcome else { return Promise(outcome: outcome) }
            return try next(box.value)
        }
    }
}
