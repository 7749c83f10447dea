public import Promise
public import Synchronization

/// Those who want to know more of a system than its states: errors, records, changes.
@usableFromInline
final class LoopObservers<State: Sendable, Event: Sendable>: Sendable {
    let errors = Handlers<any Error>()
    let eventErrors = Handlers<(any Error, Event)>()
    /// Given what would be reported, and whether one of the others has had the error.
    let failures = Handlers<(PromiseDiagnostics.Report, Bool)>()
    /// Told at the beginning of every turn.
    @usableFromInline let turns: Handlers<(Event, Origin)>
    @usableFromInline let records: Handlers<LoopRecord<State, Event>>
    @usableFromInline let willChange: Handlers<(before: ValueBox<State>, after: ValueBox<State>)>
    @usableFromInline let didChange: Handlers<(before: ValueBox<State>, after: ValueBox<State>)>
    @usableFromInline let counter: Counter

    init() {
        // Errors are rare and asked for then; the others cost something in every turn.
        let counter = Counter()
        (turns, records) = (Handlers(counter), Handlers(counter))
        (willChange, didChange) = (Handlers(counter), Handlers(counter))
        self.counter = counter
    }

    /// Whether somebody is there who hears of turns that go well.
    @inlinable var isAnyPresent: Bool { counter.value.load(ordering: .acquiring) > 0 }
    @inlinable var wantsRecords: Bool { isAnyPresent && !records.isEmpty }
    @inlinable var wantsNotices: Bool { isAnyPresent && !(willChange.isEmpty && didChange.isEmpty) }
    var wantsErrors: Bool { !errors.isEmpty || !eventErrors.isEmpty }

    /// Reports an error that no handler has had, unless somebody accounts for what fails.
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
    }
}

/// How many there are in several lists.
@usableFromInline
final class Counter: Sendable {
    @usableFromInline let value = Atomic(0)

    init() {}
}
