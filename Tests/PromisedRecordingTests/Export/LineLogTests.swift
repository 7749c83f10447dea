import Testing

@testable import PromisedRecording

/// The log of a system, a line for each event.
@Suite struct LineLogTests {
    @Test("each event is a line, whatever it contains, until the token is cancelled") func lines() {
        let lines = Lock<[String]>([])
        let system = System<Int, String>(initialState: 0, scheduler: .immediate) { .value($0 + $1.count) }
        let token = system.logTurns { line in lines.withLock { $0.append(line) } }
        system.sendEvent("a\u{1B}[2J\nb")
        system.sendEvent("c")
        token.cancel()
        system.sendEvent("d")
        let found = lines.withLock { $0 }
        #expect(found.count == 2)
        #expect(
            found[0].wholeMatch(of: #/1 .*: settled, took .*, waited .* \(.*LineLogTests.swift:\d+\)/#)
                != nil)
        #expect(found[0].unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(found[1].hasPrefix("2 c: settled"))
    }
}
