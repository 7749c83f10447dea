// What the package's other modules need of the kernel.

/// A stay on a scheduler: until it ends, what the thread starts belongs to that scheduler.
@usableFromInline
package struct Stay: ~Copyable {
    private let turn: Turn
    private let outer: (any SerialScheduler)?

    @usableFromInline
    package init(on scheduler: any SerialScheduler) {
        turn = Turn.current
        outer = turn.scheduler
        turn.scheduler = scheduler
    }

    deinit { turn.scheduler = outer }

    /// Which thread this is, as long as it lives.
    @usableFromInline package var thread: UInt { turn.address }
}

@available(*, unavailable)
extension Stay: Sendable {}

/// Which thread this is, as long as it lives; never 0.
@usableFromInline
package var currentThread: UInt { Turn.current.address }

/// Runs `body` with a work list of its own: what it settles or starts has been delivered when this returns,
/// even in the middle of another promise's delivery.
@usableFromInline
package func separately<Result>(_ body: () -> Result) -> Result { Turn.separate(body) }

extension Promise {
    /// The outcome if it is there, without starting anything and without asking for the error.
    @usableFromInline package var settledOutcome: Outcome<Value>? {
        switch storage {
        case .word(let word): .fulfilled(ValueBox(content: .word(word)))
        case .rejected(let rejection): .rejected(Failure(rejection))
        case .cell(let link): link.cell.isSettled ? link.cell.outcome(of: Value.self) : nil
        }
    }
}

extension Promise {
    /// The value of a promise that is no more than that: fulfilled, with nothing to show before.
    @inlinable package var plainValue: ValueBox<Value>? {
        guard leads == nil else { return nil }
        switch storage {
        case .word(let word): return ValueBox(content: .word(word))
        case .rejected: return nil
        case .cell(let link): return link.cell.isFulfilled ? link.cell.box(of: Value.self) : nil
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
