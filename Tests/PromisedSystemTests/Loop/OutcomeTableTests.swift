import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Every way for a transition to end × every situation × every scheduler: no stuck queue, no loading state
/// left shown, no error unhandled. Each cell with an `onError` handler and without.
@Suite(.timeLimit(.minutes(10)), .tags(.sharedState)) struct OutcomeTableTests {
    typealias Place = OutcomeFixture.Place

    /// In virtual time; shorter than a transition that is reported as long.
    private static let limit = Duration.seconds(20)

    private func check(_ way: Way, _ place: Place, isQueued: Bool) async {
        await check(way, place, isQueued: isQueued, listens: false)
        await check(way, place, isQueued: isQueued, listens: true)
    }

    private func check(_ way: Way, _ place: Place, isQueued: Bool, listens: Bool) async {
        let fixture = OutcomeFixture(
            way, place, isQueued ? "queued" : "idle", listens: listens,
            limit: place == .virtual ? Self.limit : .milliseconds(1))
        let (gate, opening) = Promise<String>.pending()
        if isQueued { fixture.system?.sendEvent(.wait(for: gate)) }
        fixture.system?.sendEvent(fixture.event(waits: false))
        fixture.system?.sendEvent(.add("z"))
        if isQueued { opening.fulfill("q") }
        await end(fixture)
        let before = isQueued ? "q" : ""
        await fixture.settles(before + (way.settles ? "x" : "") + "z" + (way.sends ? "e" : ""))
        expectShownThenGone(fixture, before: before)
        expectErrorsSeenOnce(fixture, listens: listens)
        expectRecords(fixture, before: before)
    }

    /// Triggers the ending from outside if needed, and advances virtual time.
    private func end(_ fixture: OutcomeFixture) async {
        if fixture.way.isCancelledFromOutside {
            await fixture.loads()
            fixture.cancel.value?()
        }
        guard let virtual = fixture.scheduler as? TestScheduler else { return }
        virtual.advance()
        await fixture.settlesElsewhere()
        virtual.advance(by: fixture.way == .neverSettles ? Self.limit : .zero)
        #expect(virtual.pendingCount == 0)
    }

    private func expectShownThenGone(_ fixture: OutcomeFixture, before: String) {
        let states = fixture.shown.entries
        #expect(states.filter { $0 == "L" }.count == 1)
        #expect(states.last == fixture.system?.state)
        if let loading = states.firstIndex(of: "L"), loading + 1 < states.count {
            #expect(states[loading + 1] == (fixture.way.settles ? before + "x" : before))
        } else {
            Issue.record("The loading state was left shown: \(states)")
        }
        #expect(fixture.system?.shown.value == .settled(fixture.system?.state ?? "none"))
    }

    /// By `onError` if it is installed, otherwise by the diagnostics.
    private func expectErrorsSeenOnce(_ fixture: OutcomeFixture, listens: Bool) {
        let heard = fixture.errors.entries
        if fixture.way == .neverSettles {
            #expect(heard.count == (listens ? 1 : 0))
        } else {
            #expect(heard == (listens ? fixture.expectedErrors : []))
        }
        #expect(fixture.reports.count == (fixture.way.fails && !listens ? 1 : 0))
    }

    private func expectRecords(_ fixture: OutcomeFixture, before: String) {
        let way = fixture.way
        let ending = way.settles ? "settled" : "failed"
        let records = fixture.records.entries
        let own = records.filter { $0.event.description == fixture.name }
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
        var fixture = OutcomeFixture(
            way, place, "released", listens: listens, limit: place == .virtual ? Self.limit : .seconds(86_400)
        )
        fixture.system?.sendEvent(fixture.event(waits: true))
        fixture.system?.sendEvent(.add("z"))
        await fixture.loads()
        weak let system = fixture.system
        fixture.system = nil
        await fixture.scheduler.caughtUp()
        #expect(system == nil)
        #expect(fixture.cancels.count == 1)
        // Too late: cancels from outside, and ends the work although its result is no longer used.
        fixture.cancel.exchange(nil)?()
        let late = fixture.finish.exchange(nil)
        #expect(late != nil)
        late?()
        await fixture.settlesElsewhere()
        await fixture.scheduler.caughtUp()
        if let virtual = fixture.scheduler as? TestScheduler {
            #expect(virtual.pendingCount == 0)
            virtual.advance(by: Self.limit)
        }
        expectSilence(fixture)
    }

    private func expectSilence(_ fixture: OutcomeFixture) {
        // The events from the binding and the callback arrive while the first is still running.
        #expect(fixture.shown.entries == ["", "L"])
        #expect(fixture.errors.entries.isEmpty)
        #expect(fixture.records.entries.isEmpty)
        #expect(fixture.reports.isEmpty)
        #expect(fixture.cancels.count == 1)
    }
}
