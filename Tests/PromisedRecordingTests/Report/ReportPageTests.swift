import Foundation
import PromisedReports
import TestSupport
import Testing

@testable import PromisedRecording

/// The page of a recording. What its script does is checked in a browser by Tests/ReportPage.
@Suite struct ReportPageTests {
    private static let folder = ProcessInfo.processInfo.environment["PROMISED_REPORT_PAGES"]

    private func page(_ session: ShopSession, title: String = "Shop") throws -> String {
        try session.text.read { try $0.html(title: title) }
    }

    @Test("the policy of a page lets its own styles and scripts take effect: their hashes")
    func hashes() throws {
        #expect(SHA256.base64(of: "abc") == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
        for part in [PageStyle.part, ReportStyle.style, ReportStyle.script, GraphScript.part] {
            #expect(SHA256.base64(of: part.text) == part.hash, "\(part.text.prefix(40))")
        }
    }

    @Test("no text of a recording leaves its place: the scripts are the data and the two of the page")
    func texts() throws {
        var session = ShopSession(rounds: 30)
        session.addEnd()
        let page = try page(session, title: ShopSession.hostile)
        expectOnlyOwnScripts(page)
        #expect(page.contains("<title>&lt;/script&gt;"))
        #expect(page.contains("default-src 'none'; style-src 'sha256-"))
        #expect(page.contains("Lines that cannot be read: 2<"))
    }

    private func expectOnlyOwnScripts(_ page: String) {
        let scripts = page.matches(of: /<script[^>]*>/).map { String($0.output) }
        #expect(scripts.suffix(2) == ["<script>", "<script>"])
        #expect(scripts.dropLast(2).allSatisfy { $0.hasPrefix("<script type=\"application/json\" id=\"") })
        #expect(page.matches(of: /<\/script>/).count == scripts.count)
        #expect(!page.contains("<img") && !page.contains("http:") && !page.contains("https:"))
        #expect(page.firstMatch(of: #/ style=| on[a-z]+="/#) == nil)
    }

    @Test(
        "no name of a recording leaves its place: of systems, states, events, calls, effects and properties")
    func names() throws {
        let (name, other) = (ShopSession.hostile, JSONValue.string(ShopSession.hostile + "2"))
        func value(_ name: String) -> JSONValue { .object([.init(name, .object([]))]) }
        var text = RecordingText()
        text.add(system: name, value(name))
        text.add(.place, .object(["at": 1, "file": other, "line": 1]))
        text.add(.call, .object(["s": 1, "id": 1, "t": 1, "name": other, "by": other, "at": 1]))
        text.add(.answer, .object(["s": 1, "id": 1, "t": 5]))
        text.add(.run, .object(["s": 1, "run": 1, "t": 6, "key": other]))
        text.add(.ran, .object(["s": 1, "run": 1, "t": 9, "error": other]))
        text.skip(1)
        text.add(
            .turn,
            .object([
                "s": 1, "t": 9, "d": 9, "e": value(name), "v": value("\(name)2"), "o": other, "p": other,
            ]))
        text.add(.shown, .object(["s": 1, "c": .array([.array([.array([other, other, other]), other])])]))
        try text.read { recording in
            #expect(try recording.problems().map { $0.reason.contains(name) } == [true])
            let page = try recording.html()
            expectOnlyOwnScripts(page)
            // In the problem, the two tables of durations, the diagram, and the tables of states.
            #expect(page.matches(of: #/&lt;img/#).count > 10)
        }
    }

    @Test("R25: the states that a page makes of its data are those of the recording, each block alone")
    func states() throws {
        let session = ShopSession(rounds: 40)
        try session.text.read { recording in
            let data = try ReportData(recording)
            #expect(data.blocks.map(\.first) == [0, 100, 200, 300, 400])
            var turns = 0
            for block in data.blocks {
                let content = try json(block.json)
                var page = content["states"]?["1"]?["v"] ?? .null
                var (last, states) = (-1, [Int: JSONValue]())
                for fact in content["facts"]?.array ?? [] {
                    let parts = try #require(fact.array)
                    last = try #require(parts[0].int)
                    if parts.count > 6, parts[2] == 1 || parts[6] == "*" {
                        switch parts[6] {
                        case "c": page = try ValuePatch(json: parts[7]).applied(to: page)
                        case "=": page = parts[7]["v"] ?? .null
                        default: page = parts[7]["1"]?["v"] ?? .null
                        }
                    }
                    states[last] = page
                }
                for (turn, state) in states where session.pages.indices.contains(turn) {
                    #expect(state == session.pages[turn].forPage)
                    turns += 1
                }
            }
            #expect(turns == 401)
        }
    }

    @Test("of too many turns, or too many bytes, the last ones are in the page, which says so") func limits()
        throws
    {
        try ShopSession(rounds: 60).text.read { recording in
            let last = try ReportData(recording, turns: 120)
            #expect(last.firstTurn == 481 && last.items.filter(\.isTurn).map(\.turn) == Array(481...600))
            let small = try ReportData(recording, size: 60_000)
            #expect(small.firstTurn > 400 && small.firstTurn <= 600)
            #expect(small.blocks.reduce(0) { $0 + $1.json.count } <= 60_000)
            let page = ReportPage(title: "", recording: recording, data: last).text
            #expect(
                page.contains("The page has no room for the first 481 turns: it has those from turn 481 on."))
        }
    }

    @Test("a state that is too large for a page is described there") func large() throws {
        var text = RecordingText()
        let note = JSONValue.string(String(repeating: "x", count: 5 << 20))
        text.add(system: "page", .object(["count": 0, "note": note]))
        text.add(turnTo: .object(["count": 1, "note": note]))
        text.add(system: "other", number: 2, 0)
        text.add(turnTo: 1, system: 2)
        try text.read { recording in
            let data = try ReportData(recording)
            let facts = try json(data.blocks[0].json)["facts"]?.array ?? []
            // A difference of a described state could not be applied.
            #expect(facts.map { $0.array?.dropFirst(6).first?.string } == [nil, "=", nil, "=", "c"])
            #expect(facts[1].array?.last?["x"]?.string?.hasSuffix(", too large for this page") == true)
            #expect(try recording.html().utf8.count < 1 << 20)
        }
    }

    @Test("a number that a browser would round, and a text that looks like one, stay as they are")
    func numbers() throws {
        var bytes: [UInt8] = []
        let value: JSONValue = .array([
            .number("9007199254740993"), .number("-9007199254740992"), .number("0.5"), "\u{1}#7", "<!--",
        ])
        value.writePage(to: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text == #"["\u0001#9007199254740993",-9007199254740992,0.5,"\u0001\u0001#7","\u003c!--"]"#)
    }

    @Test("a recording without turns, and one of the last turns, have pages") func small() throws {
        let empty = try page(ShopSession(rounds: 0))
        #expect(empty.contains("turns 0 to 0"))
        var ring = RecordingText()
        ring.skip(800)
        ring.add(system: "page", .number(1))
        ring.addKey()
        ring.add(turnTo: .number(2))
        try ring.read { recording in
            let data = try ReportData(recording)
            #expect(data.items.map(\.turn).contains(801))
            #expect(data.blocks.count == 2)
        }
    }

    @Test("pages for the check in a browser are written", .enabled(if: folder != nil)) func pages() throws {
        let folder = URL(filePath: Self.folder ?? "")
        var session = ShopSession(rounds: 30)
        session.addEnd()
        for (name, session) in [("small", session), ("large", ShopSession(rounds: 5_000))] {
            try page(session, title: ShopSession.hostile).write(
                to: folder.appending(path: "\(name).html"), atomically: true, encoding: .utf8)
        }
    }
}
