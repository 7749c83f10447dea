import Promise
import PromisedSources
import PromisedTesting
import Testing

/// A change of several keys, one of which is cleared.
@Suite struct ClearedChangesTests {
    let server = CityServer()
    let city = CityKey(id: 3)
    let mayor = MayorKey(city: 4)

    /// What happens with the change when it is cleared.
    enum Phase: CaseIterable, Sendable { case sent, waitsForFirst, waitsForSecond, waitsForBoth }

    private func observed(_ fetches: Fetches<CityServer>) -> [Observer] {
        server.observed([fetches.source(city), fetches.source(mayor)])
    }

    @Test(
        "a change of two keys that is cleared by one is over for the other: its guess goes, and its request",
        arguments: Phase.allCases, [true, false])
    func cleared(phase: Phase, byFirst: Bool) throws {
        let fetches = server.fetches
        let observers = observed(fetches)
        let (city, mayor) = (city, mayor)
        let isFirstBusy = phase == .waitsForFirst || phase == .waitsForBoth
        let isSecondBusy = phase == .waitsForSecond || phase == .waitsForBoth
        if isFirstBusy { fetches.change(city, optimistic: { $0 = "a" }) { [server] in server.answer("a") } }
        if isSecondBusy { fetches.change(mayor, optimistic: { $0 = "b" }) { [server] in server.answer("b") } }
        let both = fetches.change(
            [ValueChange(city, optimistic: { $0 += "+" }), ValueChange(mayor, optimistic: { $0 += "*" })],
            by: { [server] in server.answer("both") })
        server.scheduler.advance(by: .milliseconds(500))
        #expect(observers[0].take().last == (isFirstBusy ? "a+" : "city3v1+"))
        #expect(observers[1].take().last == (isSecondBusy ? "b*" : "mayor4v1*"))
        if byFirst { fetches.clear(city) } else { fetches.clear(mayor) }
        server.scheduler.advance()
        #expect(throws: CancellationError.self) { try both.result?.get() }
        let other = observers[byFirst ? 1 : 0].take().last ?? ""
        let isOtherBusy = byFirst ? isSecondBusy : isFirstBusy
        #expect(other.hasPrefix(isOtherBusy ? (byFirst ? "b" : "a") : byFirst ? "mayor4v1" : "city3v1"))
        // The server may have heard of it, so the value is fetched again.
        #expect(phase != .sent || other.hasSuffix("…"))
        server.scheduler.advance(by: .seconds(3))
        #expect(server.log.filter { $0.hasSuffix("both") } == (phase == .sent ? ["both", "no both"] : []))
        // Both keys go on.
        let next = [
            fetches.change(city, by: { [server] in server.answer("next") }),
            fetches.change(mayor, by: { [server] in server.answer("next") }),
        ]
        server.scheduler.advance(by: .seconds(1))
        #expect(try next.map { try $0.result?.get() } == ["next1", "next1"])
        observers.forEach { $0.end() }
    }

    @Test(
        "what is called first is done first, also for a key that is not used yet", arguments: [false, true])
    func order(byPath: Bool) throws {
        let fetches = server.fetches
        let cleared = fetches.change(city, by: { [server] in server.answer("cleared") })
        if byPath { fetches.clear(under: city.path) } else { fetches.clear(city) }
        let sent = fetches.change(city, by: { [server] in server.answer("sent") })
        server.scheduler.advance(by: .seconds(2))
        #expect(throws: CancellationError.self) { try cleared.result?.get() }
        #expect(try sent.result?.get() == "sent1")
        #expect(server.log == ["cleared", "no cleared", "sent"])
    }
}
