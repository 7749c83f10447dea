// What the package's other modules need of the kernel.

/// Runs `body` with a work list of its own: what it settles or starts has been delivered when this returns,
/// even in the middle of another promise's delivery.
package func separately<Result>(_ body: () -> Result) -> Result { Turn.separate(body) }

extension Promise {
    /// The outcome if it is there, without starting anything and without asking for the error.
    package var settledOutcome: Outcome<Value>? {
        switch storage {
        case .fulfilled(let value): .fulfilled(value)
        case .rejected(let rejection): .rejected(Failure(rejection))
        case .cell(let link): link.cell.isSettled ? link.cell.outcome(of: Value.self) : nil
        }
    }
}
