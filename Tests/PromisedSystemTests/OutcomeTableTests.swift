import PromisedSystem
import PromisedTesting
import Testing

/// Every way for a transition to end × every situation × every scheduler: no stuck queue, no loading state
/// left shown, no error unhandled. Each cell with an `onError` handler and without.
@Suite(.timeLimit(.minutes(10))) struct OutcomeTableTests {
    typealias Place = OutcomeStand.Place

    /// In virtual time; shorter than a transition that is reported as long.
    private static let limit = Duration.seconds(20)

    private func check(_ way: Way, _ place: Place, isQueued: Bool) async {
        await check(way, place, isQueued: isQueued, listens: false)
        await check(way, place, isQueued: isQueued, listens: true)
    }

    private func check(_ way: Way, _ place: Place, isQueued: Bool, listens: Bool) async {
        let stand = OutcomeStand(
            way, place, isQueued ? "queued" : "idle", listens: listens,
            limit: place == .virtual ? Self.limit : .milliseconds(1))
        let (gate, opening) = Promise<String>.pending()
        if isQueued { stand.system?.sendEvent(.wait(for: gate)) }
        stand.system?.sendEvent(stand.event(waits: false))
        stand.system?.sendEvent(.add("z"))
        if isQueued { opening.fulfill("q") }
        await end(stand)
        let before = isQueued ? "q" : ""
        await stand.settles(before + (way.settles ? "x" : "") + "z" + (way.sends ? "e" : ""))
        expectShownThenGone(stand, before: before)
        expectErrorsSeenOnce(stand, listens: listens)
        expectRecords(stand, before: before)
    }

    /// Triggers the ending from outside if needed, and advances virtual time.
    private func end(_ stand: OutcomeStand) async {
        if stand.way.isCancelledFromOutside {
            await stand.loads()
            stand.cancel.value?()
        }
        guard let virtual = stand.scheduler as? TestScheduler else { return }
        virtual.advance()
        await stand.settlesElsewhere()
        virtual.advance(by: stand.way == .neverSettles ? Self.limit : .zero)
        #expect(virtual.pendingCount == 0)
    }

    private func expectShownThenGone(_ stand: OutcomeStand, before: String) {
        let states = stand.shown.entries
        #expect(states.filter { $0 == "L" }.count == 1)
        #expect(states.last == stand.system?.state)
        if let loading = states.firstIndex(of: "L"), loading + 1 < states.count {
            #expect(states[loading + 1] == (stand.way.settles ? before + "x" : before))
        } else {
            Issue.record("The loading state was left shown: \(states)")
        }
        #expect(stand.system?.shown.value == .settled(stand.system?.state ?? "none"))
    }

    /// By `onError` if it is installed, otherwise by the diagnostics, which omit cancellation.
    private func expectErrorsSeenOnce(_ stand: OutcomeStand, listens: Bool) {
        let heard = stand.errors.entries
        if stand.way == .neverSettles {
            #expect(heard.count == (listens ? 1 : 0))
        } else {
            #expect(heard == (listens ? stand.expectedErrors : []))
        }
        #expect(stand.reports.count == (stand.way.fails && !listens ? 1 : 0))
    }

    private func expectRecords(_ stand: OutcomeStand, before: String) {
        let way = stand.way
        let ending = way.settles ? "settled" : way.isCancellation ? "cancelled" : "failed"
        let records = stand.records.entries
        let own = records.filter { $0.event.description == stand.name }
        #expect(own.count == 1)
        if let record = own.first {
            let after = way.settles ? before + "x" : before
            #expect(describe(record.outcome).hasPrefix(ending))
            #expect(record.before == before)
            #expect(record.after == after)
            #expect(record.shown == [.loading("L"), .settled(after)])
        }
        #expect(records.contains { $0.event.description == "z" && describe($0.outcome) == "settled" })
        #expect(records.map(\.number) == Array(1...records.count))
    }

    @Test("R13, PK-24: a transition ends in an idle system", arguments: Way.allCases, Place.allCases)
    func idle(way: Way, place: Place) async { await check(way, place, isQueued: false) }

    @Test("R13, PK-24: a transition ends with other events queued", arguments: Way.allCases, Place.allCases)
    func queued(way: Way, place: Place) async { await check(way, place, isQueued: true) }

    @Test("R18, PK-33: the system is released during a transition", arguments: Way.allCases, Place.allCases)
    func released(way: Way, place: Place) async {
        await release(way, place, listens: false)
        await release(way, place, listens: true)
    }

    private func release(_ way: Way, _ place: Place, listens: Bool) async {
        // Real time passes while a busy machine executes the next lines.
        var stand = OutcomeStand(
            way, place, "released", listens: listens, limit: place == .virtual ? Self.limit : .seconds(86_400)
        )
        stand.system?.sendEvent(stand.event(waits: true))
        stand.system?.sendEvent(.add("z"))
        await stand.loads()
        weak let system = stand.system
        stand.system = nil
        await stand.scheduler.caughtUp()
        #expect(system == nil)
        #expect(stand.cancels.count == 1)
        // Too late: cancels from outside, and ends the work although its result is no longer used.
        stand.cancel.exchange(nil)?()
        let late = stand.finish.exchange(nil)
        #expect(late != nil)
        late?()
        await stand.settlesElsewhere()
        await stand.scheduler.caughtUp()
        if let virtual = stand.scheduler as? TestScheduler {
            #expect(virtual.pendingCount == 0)
            virtual.advance(by: Self.limit)
        }
        expectSilence(stand)
    }

    private func expectSilence(_ stand: OutcomeStand) {
        // The events from the binding and the callback arrive while the first is still running.
        #expect(stand.shown.entries == ["", "L"])
        #expect(stand.errors.entries.isEmpty)
        #expect(stand.records.entries.isEmpty)
        #expect(stand.reports.isEmpty)
        #expect(stand.cancels.count == 1)
    }
}
