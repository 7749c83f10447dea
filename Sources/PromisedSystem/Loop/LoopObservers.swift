public import Promise

/// The observers of a system other than the subscribers of its states: of errors, of turns, of records, and of each
/// change with the states before and after it.
@usableFromInline
final class LoopObservers<State: Sendable, Event: Sendable>: Sendable {
    let errors: Handlers<any Error>
    let eventErrors: Handlers<(any Error, Event)>
    /// Called with the report of a failure in place of `PromiseDiagnostics`, and whether an error handler had the
    /// error.
    let failures: Handlers<(PromiseDiagnostics.Report, Bool)>
    /// Called with every event that the middleware has passed on, before the reducer.
    @usableFromInline let turns: Handlers<(Event, Origin)>
    @usableFromInline let records: Handlers<LoopRecord<State, Event>>
    @usableFromInline let willChange: Handlers<(before: ValueBox<State>, after: ValueBox<State>)>
    @usableFromInline let didChange: Handlers<(before: ValueBox<State>, after: ValueBox<State>)>
    @usableFromInline let counter: Counter
    /// Counts the handlers of errors and of failures.
    @usableFromInline let errorCounter = Counter()

    /// Called once, when the loop has nothing left to do.
    private let waiters = Lock<[@Sendable () -> Void]>([])

    init() {
        // One shared count lets a turn check all of these with one load. Error handlers are looked up when an error
        // occurs, which is rare.
        let counter = Counter()
        (turns, records) = (Handlers(counter), Handlers(counter))
        (willChange, didChange) = (Handlers(counter), Handlers(counter))
        self.counter = counter
        (errors, eventErrors) = (Handlers(errorCounter), Handlers(errorCounter))
        failures = Handlers(errorCounter)
    }

    @inlinable var wantsRecords: Bool { counter.hasSubscribers && !records.isEmpty }
    @inlinable var wantsNotices: Bool {
        counter.hasSubscribers && !(willChange.isEmpty && didChange.isEmpty)
    }
    /// Whether there are none. An explorer is not one of them.
    @inlinable var isEmpty: Bool { !counter.hasSubscribers && errorCounter.isZero }
    var wantsErrors: Bool { !errors.isEmpty || !eventErrors.isEmpty }

    func addWaiter(_ waiter: @escaping @Sendable () -> Void) {
        counter.add(1)
        waiters.withLock { $0.append(waiter) }
    }

    func takeWaiters() -> [@Sendable () -> Void] {
        let all = waiters.exchange(for: [])
        counter.add(-all.count)
        return all
    }

    /// Calls the failure handlers, or else reports an unhandled error to `PromiseDiagnostics`.
    @usableFromInline
    func report(_ report: PromiseDiagnostics.Report, isHandled: Bool) {
        guard failures.isEmpty else { return failures.call((report, isHandled)) }
        if !isHandled { PromiseDiagnostics.report(report) }
    }

    @usableFromInline
    func close() {
        errors.close()
        eventErrors.close()
        failures.close()
        turns.close()
        records.close()
        willChange.close()
        didChange.close()
        _ = takeWaiters()
    }
}
