import Foundation
import Testing

@testable import PromisedRecording

/// A trace as its format defines it.
private struct Trace: Decodable {
    struct TraceEvent: Decodable {
        let ph: String, name: String, pid: Int, tid: Int
        let cat: String?, id: String?, ts: Double?, dur: Double?
        let args: [String: Argument]
    }

    /// A text or a number.
    struct Argument: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            text = try (try? value.decode(String.self)) ?? "\(value.decode(Int.self))"
        }
    }

    let displayTimeUnit: String
    let traceEvents: [TraceEvent]

    func events(_ phase: String) -> [TraceEvent] { traceEvents.filter { $0.ph == phase } }

    /// The rules of the format: slices of a thread nest, and each asynchronous one has an end, and an id of its own.
    func check() {
        #expect(traceEvents.allSatisfy { $0.ph == "M" || $0.ts ?? -1 >= 0 })
        #expect(Set(traceEvents.map(\.ph)).isSubset(of: ["M", "X", "b", "e"]))
        for (_, slices) in Dictionary(grouping: events("X"), by: { [$0.pid, $0.tid] }) {
            var open: [Double] = []
            for slice in slices.sorted(by: { ($0.ts ?? 0) < ($1.ts ?? 0) }) {
                let (start, duration) = (slice.ts ?? 0, slice.dur ?? -1)
                #expect(duration >= 0)
                open.removeAll { $0 <= start }
                #expect(open.allSatisfy { start + duration <= $0 })
                open.append(start + duration)
            }
        }
        let ends = Dictionary(grouping: events("e")) { "\($0.cat ?? "") \($0.id ?? "") \($0.name)" }
        for begin in events("b") {
            let end = ends["\(begin.cat ?? "") \(begin.id ?? "") \(begin.name)"]
            #expect(end?.count == 1)
            #expect(end?.first?.ts ?? -1 >= begin.ts ?? 0)
            #expect(end?.first?.pid == begin.pid)
        }
        #expect(events("b").count == events("e").count)
    }
}

/// The export in Chrome's trace format.
@Suite struct ChromeTraceTests {
    @Test("a transition is a slice if it is over when the next one begins", arguments: [499, 500, 501])
    func slices(duration: Int) throws {
        var text = RecordingText()
        text.add(system: "counter", 0)
        for (turn, time) in [1_000, 1_500].enumerated() {
            text.skip(1)
            text.add(
                .turn,
                .object(["s": 1, "t": .number(time), "d": .number(turn == 0 ? duration : 9), "o": "settled"]))
        }
        let trace = try JSONDecoder().decode(
            Trace.self, from: Data(try text.read { try $0.chromeTrace() }.utf8))
        trace.check()
        #expect(
            trace.events("X").map(\.dur) == (duration > 500 ? [0.009] : [Double(duration) / 1_000, 0.009]))
    }

    private func trace(_ session: ShopSession) throws -> Trace {
        let text = try session.text.read { try $0.chromeTrace() }
        let trace = try JSONDecoder().decode(Trace.self, from: Data(text.utf8))
        trace.check()
        return trace
    }

    @Test("each system is a process with lanes, and each turn, wait, effect and call is a slice") func lanes()
        throws
    {
        let trace = try trace(ShopSession(rounds: 10))
        let names = trace.events("M").map { "\($0.pid) \($0.tid) \($0.args["name"]?.text ?? "")" }
        #expect(names.prefix(5) == ["1 0 page", "1 1 turns", "1 2 queue", "1 3 calls", "1 4 effects"])
        #expect(names.filter { $0.contains(" 0 ") } == ["1 0 page", "2 0 store", "3 0 log"])
        let turns = trace.traceEvents.filter { $0.cat == "turns" && $0.ph != "e" }
        #expect(turns.compactMap { $0.args["turn"]?.text } == (1...100).map { "\($0)" })
        let calls = trace.events("b").filter { $0.cat == "calls" }
        #expect(calls.count == 20 && calls.allSatisfy { $0.name == "find" })
        #expect(trace.events("b").filter { $0.cat == "queue" }.count == 20)
        #expect(trace.events("b").filter { $0.cat == "effects" }.count == 20)
        let load = try #require(trace.events("X").first { $0.args["turn"]?.text == "3" })
        #expect(load.ts == 1_750 && load.dur == 13_250)
    }

    @Test("what has not ended ends with the recording, and turns that overlap are not slices of a thread")
    func open() throws {
        var session = ShopSession(rounds: 1)
        session.addEnd()
        let trace = try trace(session)
        let last = trace.traceEvents.compactMap(\.ts).max()
        for name in ["find", "watch", ".load"] {
            #expect(trace.events("e").last { $0.name == name }?.ts == last, "\(name)")
        }
        var text = RecordingText()
        text.add(system: "a", .number(0))
        for start in 0..<4 {
            text.skip(1)
            text.add(
                .turn,
                .object(["s": 1, "e": .object(["go": .object([])]), "t": .number(start * 1_000), "d": 2_500]))
        }
        let overlapping = try JSONDecoder().decode(
            Trace.self, from: Data(try text.read { try $0.chromeTrace() }.utf8))
        overlapping.check()
        #expect(overlapping.events("X").count == 1 && overlapping.events("b").count == 3)
    }
}
