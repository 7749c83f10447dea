/// One value later: a description of work that gives one value or one error.
///
/// Making a promise and chaining operators onto it runs nothing. The work starts when somebody first looks
/// at the outcome (``done(file:line:_:)``, ``start()``, `await promise.value`, or a system that runs it),
/// starts at most once whatever number of observers it has, and its outcome is remembered.
///
/// ```swift
/// let greeting = Promise { resolver in resolver.fulfill("hello") }
///     .delay(.milliseconds(1))
///     .map { $0.uppercased() }
///     .mapErrorRecover { "sorry: \($0)" }
/// print(try await greeting.value)
/// ```
///
/// Handlers run where the promise is settled, before the outermost call that settles, starts or attaches
/// returns, and never one inside another; `on:` moves them to a scheduler. A chain runs on the scheduler of
/// whoever starts it.
public struct Promise<Value: Sendable>: Sendable {
    @usableFromInline
    enum Storage: Sendable {
        // What is fulfilled needs no object.
        case fulfilled(Value)
        case rejected(Rejection)
        case cell(Link)
    }

    @usableFromInline let storage: Storage
    /// The interim values at the very start. They belong to this value and not to the work, which others share.
    @usableFromInline let leads: [Lead]?

    @inlinable
    init(storage: Storage, leads: [Lead]? = nil) {
        self.storage = storage
        self.leads = leads
    }

    @inlinable
    init(cell: Cell, leads: [Lead]? = nil) { self.init(storage: .cell(Link(cell)), leads: leads) }
}

/// What became of a promise, with the error still knowing whether it was asked for.
@usableFromInline
package enum Outcome<Value: Sendable>: Sendable {
    case fulfilled(Value)
    case rejected(Failure)

    var failure: Failure? { if case .rejected(let failure) = self { failure } else { nil } }

    /// As a result; the error counts as asked for.
    @inlinable
    var result: Result<Value, any Error> {
        switch self {
        case .fulfilled(let value): .success(value)
        case .rejected(let failure): .failure(failure.rejection.look())
        }
    }
}

/// An error on its way, not yet asked for.
@usableFromInline
package struct Failure: Sendable {
    @usableFromInline let rejection: Rejection

    @inlinable
    init(_ rejection: Rejection) { self.rejection = rejection }

    /// The error, given to somebody who asked for it.
    @usableFromInline package var error: any Error { rejection.look() }
    /// Somebody counts on the promise: if nobody asks for the error, that is worth a report.
    @usableFromInline
    package func arm() { rejection.arm() }
    /// Nobody has to hear of it any more: whoever waited for it was cancelled.
    @usableFromInline
    func forget() { _ = rejection.look() }
    /// Where the promise was made that failed.
    package var origin: Origin { rejection.origin }
}

/// What an observer hears: any number of interim values, then the outcome.
@usableFromInline
package enum Update<Value: Sendable>: Sendable {
    case interim(Value)
    case outcome(Outcome<Value>)
}

extension Cell {
    @inlinable
    func outcome<Value: Sendable>(of type: Value.Type) -> Outcome<Value> {
        isRejected ? .rejected(.init(rejection)) : .fulfilled(value(as: type))
    }

    /// Settles with a value unless that was done already.
    @inlinable
    @discardableResult
    func fulfill<Value: Sendable>(_ value: Value) -> Bool {
        guard claim(0) != nil else { return false }
        payload(of: Value.self).initialize(to: value)
        publish()
        return true
    }

    @inlinable
    func settle<Value: Sendable>(_ outcome: Outcome<Value>) {
        switch outcome {
        case .fulfilled(let value): fulfill(value)
        case .rejected(let failure): if !reject(failure.rejection), isCancelled { failure.forget() }
        }
    }

    @inlinable
    func report<Value: Sendable>(value: Value) -> Bool {
        guard !isClaimed else { return false }
        let interim = Cell.make(
            Value.self, flags: Flags.interim | Flags.claimed | Flags.linked, origin: origin,
            step: { cell, _, _ in cell.dispose(Value.self) })
        interim.payload(of: Value.self).initialize(to: value)
        return report(interim)
    }

    /// The value of a cell that was fulfilled, or of an interim one.
    @inlinable
    func value<Value>(as type: Value.Type) -> Value { payload(of: type).pointee }

    /// The value to work on, for the owner of `payload`, once.
    @inlinable
    func input<Value>(from source: Cell, as type: Value.Type) -> Value {
        source === self || source.holdsSeed ? source.takeSeed(as: type) : source.value(as: type)
    }

    /// Whether the source settled with an error. A seeded cell is its own source, and may have been cancelled
    /// since it was fired: then there is still a value to work on.
    @inlinable
    func isFailed(by source: Cell) -> Bool { source !== self && source.isRejected }

    @inlinable
    func takeSeed<Value>(as type: Value.Type) -> Value {
        mark(Flags.fired)
        return seed(of: type).move()
    }

    /// Whether it is not a source that settles but one that gives its seed away.
    @usableFromInline var holdsSeed: Bool { has(Flags.seeded) && !has(Flags.claimed) }

    /// The outcome to work on, for the owner of `payload`, once.
    @inlinable
    func outcome<Value: Sendable>(from source: Cell, of type: Value.Type) -> Outcome<Value> {
        isFailed(by: source) ? .rejected(.init(source.rejection)) : .fulfilled(input(from: source, as: type))
    }

    /// Lets go of what a seeded cell would have worked on.
    @inlinable
    func unseed<Value>(_ type: Value.Type) { Turn.destroy(seed(of: type)) }

    @inlinable
    func dispose<Value>(_ type: Value.Type) { Turn.destroy(payload(of: type)) }
}

extension Promise {
    /// The cell to derive from or to observe; what is settled from the start gets one here.
    @inlinable @inline(__always)
    func cell(_ origin: Origin) -> Cell {
        switch storage {
        case .cell(let link): return link.cell
        case .fulfilled(let value):
            let cell = Cell.make(
                Value.self, flags: Flags.claimed, origin: origin, settled: true,
                step: { cell, _, _ in cell.dispose(Value.self) })
            cell.payload(of: Value.self).initialize(to: value)
            return cell
        case .rejected(let rejection):
            let cell = Cell.make(
                Value.self, flags: Flags.claimed | Flags.rejected, origin: origin,
                settled: true,
                step: { _, _, _ in })
            cell.payload(of: Rejection.self).initialize(to: rejection)
            return cell
        }
    }

    /// A promise that follows from this one by `work`, which `step` takes out and applies.
    @inlinable @inline(__always)
    func derive<Output: Sendable, Work>(
        _: Output.Type, _ work: Work, kind: UInt64 = 0, origin: Origin, leads: [Promise<Output>.Lead]? = nil,
        step: @escaping Cell.Step
    ) -> Promise<Output> {
        let derived = derivedCell(Output.self, work, kind: kind, origin: origin, step: step)
        return Promise<Output>(cell: derived, leads: leads)
    }

    @inlinable @inline(__always)
    func derivedCell<Output: Sendable, Work>(
        _: Output.Type, _ work: Work, kind: UInt64, origin: Origin, step: @escaping Cell.Step
    ) -> Cell {
        guard case .fulfilled(let value) = storage else {
            return Cell.make(
                Output.self, flags: Flags.work | kind, upstream: cell(origin), origin: origin, work: work,
                step: step)
        }
        // No object of its own for a value that is there already.
        let derived = Cell.make(
            Output.self,
            flags: Flags.work | Flags.seeded | kind | (kind & Flags.timed != 0 ? Flags.linked : 0),
            origin: origin,
            seed: MemoryLayout<Value>.size + MemoryLayout<Value>.alignment, work: work, step: step)
        derived.seed(of: Value.self).initialize(to: value)
        return derived
    }
}
