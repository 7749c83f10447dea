import Foundation
import TestSupport
import Testing

@testable import ProductPage
@testable import ProductReading

/// Nothing foreign reaches a terminal as it is: not from data, names, addresses, servers or arguments.
@Suite(.timeLimit(.minutes(10)), .tags(.noSharedState)) struct HostileOutputRunTests {
    private static let hostile = HostileText.text
    /// A terminal's own idea of an argument; no argument can have a zero byte.
    private static let json = {
        let text = HostileText.escaped
        let offer = #"{"price":"1 \#(text)","priceCurrency":"\#(text)","availability":"\#(text)"}"#
        return #"[{"@type":"Product","sku":"1\#(text)","name":"N\#(text)","brand":"\#(text)","#
            + #""description":"D\#(text)","image":"\#(text)","url":"\#(text)","offers":\#(offer)},"#
            + #"{"@type":"Product","sku":"2\#(text)","name":"N\#(text)"}]"#
    }()
    private static let files = [
        "shop.json": json, "types.json": #"{"@type":"\#(HostileText.escaped)"}"#, "damaged\(hostile)": "x",
        "x\(hostile).json": json,
    ]

    @Test("the text is hostile, and what looks for it finds each part")
    func textIsHostile() {
        for scalar in Self.hostile.unicodeScalars where scalar != "\n" && !scalar.isLetterOrSign {
            #expect(HostileText.isIn("x\(scalar)y"), "\(scalar.value)")
        }
        #expect(!HostileText.isIn("Ålesund 鉄瓶 🪁 عود “x” 1.00 €\n"))
    }

    /// Runs it, and looks for what may not be in its output.
    private func run(
        _ arguments: [String], input: String = "", _ code: Int32, in home: borrowing TemporaryFolder,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        let outcome = try await home.run(arguments, input: input)
        let isClean = !HostileText.isIn(outcome.output) && !HostileText.isIn(outcome.errors)
        #expect(
            isClean && outcome.code == code, "\("\(outcome)".debugDescription)",
            sourceLocation: sourceLocation)
        return outcome
    }

    @Test("every field of a product, in every mode")
    func fields() async throws {
        let home = try TemporaryFolder(Self.files)
        let page = try await run(["shop.json"], 0, in: home)
        #expect(page.output.contains("Na\u{FFFD}[2J\u{FFFD}31mb") && page.lines.count == 12)
        #expect(try await run(["shop.json", "--list"], 0, in: home).lines.count == 2)
        let events = "load,add,next,add,remove,previous,wait,cancel"
        let script = try await run(["shop.json", "--analytics", "a.jsonl", "--events", events], 0, in: home)
        #expect(script.lines.count == 13)
        let analytics = try home.read("a.jsonl")
        #expect(!HostileText.isIn(analytics) && analytics.contains(#"\u001b[2J\u009b31m"#))
        for arguments in [["--list"], ["--events", "load,add"], []] {
            let json = try await run(["shop.json", "--json"] + arguments, 0, in: home)
            for text in [
                #"a\u001b[2J\u009b31mb\u0007\b"#, #"c\u202ed\u2066e\u200f\u061cf"#, #"\udb40\udc41"#,
            ] { #expect(json.output.contains(text)) }
        }
    }

    @Test("what is in a file that is no product")
    func files() async throws {
        let home = try TemporaryFolder(Self.files)
        let types = try await run(["types.json"], 66, in: home)
        #expect(types.errors.contains("it describes: a\u{FFFD}[2J"))
        for (index, scalar) in Self.hostile.unicodeScalars.enumerated() where !scalar.isLetterOrSign {
            try home.write("{\(scalar)", to: "\(index).json")
            _ = try await run(["\(index).json"], 66, in: home)
        }
    }

    /// With the number of lines on standard error.
    static let arguments: [([String], Int32, Int)] = {
        let text = hostile
        let wrong: [[String]] = [
            ["--" + text], ["-" + text], ["--lis" + text], ["--list=" + text], ["--events", text],
            ["--events=load," + text], ["--latency", text], ["--fail-rate", text], ["--seed", text],
            ["--timeout", text], ["a", text], [text, "b"], ["http://" + text], ["http:" + text],
            ["x://" + text],
            ["shop.json", "--product", "N"],
        ]
        return wrong.map { ($0, 64, 1) } + [
            (["a" + text + "://x"], 66, 1), (["--product", text, "--latency", "0"], 66, 1),
            (["--cart", "damaged" + text, "--latency", "0"], 0, 1),
            (["--analytics", text + "/" + text, "--latency", "0"], 1, 1),
            (["shop.json", "--product", "x"], 66, 1), (["x\(text).json"], 0, 0),
            (["gonex\(text).json"], 66, 1),
            (["file:///" + text], 66, 1),
        ]
    }()

    @Test("what stands in the arguments", arguments: arguments)
    func argument(arguments: [String], code: Int32, count: Int) async throws {
        let outcome = try await run(arguments, code, in: TemporaryFolder(Self.files))
        #expect(outcome.errors.split(separator: "\n").count == count)
    }

    @Test("what stands on standard input")
    func input() async throws {
        _ = try await run(
            ["--latency", "0", "--events", "-"], input: "load\n\(Self.hostile)", 64, in: TemporaryFolder())
    }

    @Test("what a server says, in its head and in its body")
    func servers() async throws {
        let home = try TemporaryFolder()
        let text = Self.hostile.replacing("\r\n", with: "")
        let latin =
            answer("200 OK", ["Content-Type: application/json; charset=iso-8859-1"])
            .replacing("Content-Length: 0\r\n", with: "") + #"{"@type":"Product","name":"L"#
        let answers = [
            "/status": answer("404 \(text)", body: text),
            "/moved": answer("302 Found", ["Location: x\(text):y"]),
            "/type": answer("200 OK", ["Content-Type: \(text)", "ETag: \(text)"], body: Self.json),
        ]
        let raw = Array(latin.utf8) + [0x1B, 0x81, 0x9D, 0x8D, 0x90] + Array(#""}"#.utf8)
        let server = try LoopbackServer.ofBytes { head in
            let path = path(of: head)
            return AnySequence([path == "/raw" ? raw : Array((answers[path] ?? "\(text)\r\n\r\n").utf8)])
        }
        for path in ["/status", "/moved", "/none"] {
            let outcome = try await run([server.url(path), "--timeout=3600"], 69, in: home)
            #expect(outcome.output == "" && outcome.errors.split(separator: "\n").count == 1)
        }
        _ = try await run([server.url("/type"), "--timeout=3600", "--events", "load"], 0, in: home)
        let shown = try await run([server.url("/raw"), "--timeout=3600"], 0, in: home)
        #expect(shown.errors.hasSuffix("shown with replacement characters\n"))
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrSign: Bool { (0x21...0x7E).contains(value) }
}
