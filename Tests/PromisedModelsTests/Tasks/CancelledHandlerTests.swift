import Promise
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// Once a cancellation has returned, nothing of what it has cancelled is called.
struct CancelledHandlerTests {
    /// What is called with a property of a row.
    enum Handler: CaseIterable {
        case change, source, sequence, latest, states, records, task, failure, first
    }
    /// What ends it.
    enum End: CaseIterable { case handle, key, removal }

    /// Subscribes, and returns what ends that.
    private func subscribe(_ handler: Handler, _ fixture: Fixture<App>, _ row: Row) -> @Sendable () -> Void {
        let (notes, store) = (fixture.notes, fixture.store)
        let call: @Sendable (String) -> Void = { if $0.contains("late") { notes.add($0) } }
        func cancelling(_ handle: Cancellable) -> @Sendable () -> Void {
            handle.cancel(for: "key")
            return { handle.cancel() }
        }
        switch handler {
        case .change: return cancelling(row.onChange(of: \.title) { call($0) })
        case .sequence: return cancelling(row.forEach(row.changes(of: \.title)) { call($0) })
        case .latest:
            return cancelling(row.forEach(row.changes(of: \.title), cancelPrevious: true) { call($0) })
        case .task: return cancelling(row.task { call("late \(row.title)") })
        case .failure:
            return cancelling(
                row.task {
                    throw Failure()
                } catch: { _ in
                    call("late \(row.title)")
                })
        case .first: return cancelling(row.forEach(row.values(of: \.title)) { _ in call("late") })
        case .source:
            let token = row.source(of: \.title).subscribe(replayCurrent: false) { call($0) }
            return { token.cancel() }
        case .states:
            let token = store.states.subscribe(replayCurrent: false) { call("\($0)") }
            return { token.cancel() }
        case .records:
            let token = store.onWrite { call("\($0.after)") }
            return { token.cancel() }
        }
    }

    /// Begins, writes and ends it in one step.
    private func step(_ handler: Handler, _ end: End, _ fixture: Fixture<App>) {
        let row = fixture.model.rows[0]
        let isLate = [Handler.task, .failure, .first].contains(handler)
        let begun = isLate ? subscribe(handler, fixture, row) : nil
        row.state.title = "late"
        switch end {
        case .handle: begun?()
        case .key: row.cancelAll(for: "key")
        case .removal: fixture.model.state.rows.removeAll()
        }
    }

    @Test(
        "OS-33: what was cancelled is not called behind that, with a value from before either",
        arguments: Handler.allCases, End.allCases)
    func silence(handler: Handler, end: End) {
        for isInDelivery in [false, true] { silence(handler, end, isInDelivery) }
    }

    private func silence(_ handler: Handler, _ end: End, _ isInDelivery: Bool) {
        let hasTask = ![Handler.source, .states, .records].contains(handler)
        guard hasTask || end == .handle else { return }
        let fixture = Fixture<App>(.rows(1))
        let (row, notes, scheduler) = (fixture.model.rows[0], fixture.notes, fixture.scheduler)
        let isLate = [Handler.task, .failure, .first].contains(handler)
        let nothing: @Sendable () -> Void = {}
        let cancel = isLate ? nothing : subscribe(handler, fixture, row)
        scheduler.advance()
        let act: @Sendable () -> Void = {
            step(handler, end, fixture)
            if end == .handle { cancel() }
        }
        // In the delivery of another write, the store's loop is at work; elsewhere the handler is called by the write.
        fixture.model.onChange(of: \.title) { _ in act() }
        if isInDelivery { fixture.model.state.title = "go" } else { act() }
        _ = isInDelivery ? [] : notes.take()
        scheduler.advance()
        #expect(notes.take().filter { $0.contains("late") } == [])
        scheduler.finish()
    }

    @Test("OS-25: an element that another one follows at once is not handled")
    func replacedAtOnce() {
        let fixture = Fixture<Counter>(.init())
        let notes = fixture.notes
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        fixture.model.forEach(numbers, cancelPrevious: true) { notes.add("\($0)") }
        fixture.scheduler.advance()
        _ = notes.take()
        for number in 1...3 { feed.yield(number) }
        fixture.scheduler.advance()
        #expect(notes.take() == ["3"])
        feed.finish()
    }
}
