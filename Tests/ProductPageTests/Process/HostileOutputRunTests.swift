import Foundation
import Testing

@testable import ProductPage

/// Nothing foreign reaches a terminal as it is: not from data, names, addresses, servers or arguments.
@Suite(.timeLimit(.minutes(10))) struct HostileOutputRunTests {
    private static let hostile = HostileText.text
    /// A terminal's own idea of an argument; no argument can have a zero byte.
    private static let json = {
        let text = HostileText.escaped
        let offer = #"{"price":"1 \#(text)","priceCurrency":"\#(text)","availability":"\#(text)"}"#
        return #"[{"@type":"Product","sku":"1\#(text)","name":"N\#(text)","brand":"\#(text)","#
            + #""description":"D\#(text)","image":"\#(text)","url":"\#(text)","offers":\#(offer)},"#
            + #"{"@type":"Product","sku":"2\#(text)","name":"N\#(text)"}]"#
    }()

    @Test("the text is hostile, and what looks for it finds each part")
    func textIsHostile() {
        for scalar in Self.hostile.unicodeScalars where scalar != "\n" && !scalar.isLetterOrSign {
            #expect(HostileText.isIn("x\(scalar)y"), "\(scalar.value)")
        }
        #expect(!HostileText.isIn("Ålesund 鉄瓶 🪁 عود “x” 1.00 €\n"))
    }

    private func run(
        _ arguments: [String], input: String = "", sourceLocation: Testing.SourceLocation = #_sourceLocation,
        in home: borrowing TemporaryFolder
    ) async throws -> Outcome {
        let outcome = try await ToolRun(in: home).run(arguments, input: .text(input))
        let isClean = !HostileText.isIn(outcome.output) && !HostileText.isIn(outcome.errors)
        #expect(
            isClean, "\(outcome.output.debugDescription) \(outcome.errors.debugDescription)",
            sourceLocation: sourceLocation)
        return outcome
    }

    @Test("every field of a product, in every mode")
    func fields() async throws {
        let home = try TemporaryFolder()
        try home.write(Self.json, to: "shop.json")
        let page = try await run(["shop.json"], in: home)
        #expect(page.code == 0)
        #expect(page.output.contains("Na\u{FFFD}[2J\u{FFFD}31mb"))
        #expect(page.lines.count == 12)
        let list = try await run(["shop.json", "--list"], in: home)
        #expect(list.lines.count == 2)
        let script = try await run(
            [
                "shop.json", "--analytics", "a.jsonl", "--events",
                "load,add,next,add,remove,previous,wait,cancel",
            ],
            in: home)
        #expect(script.lines.count == 13)
        #expect(script.code == 0)
        let analytics = try home.read("a.jsonl")
        #expect(!HostileText.isIn(analytics))
        #expect(analytics.contains(#"\u001b[2J\u009b31m"#))
        for arguments in [["--list"], ["--events", "load,add"], []] {
            let json = try await run(["shop.json", "--json"] + arguments, in: home)
            #expect(json.output.contains(#"a\u001b[2J\u009b31mb\u0007\b"#))
            #expect(json.output.contains(#"c\u202ed\u2066e\u200f\u061cf"#))
            #expect(json.output.contains(#"\udb40\udc41"#))
        }
        let missed = try await run(["shop.json", "--product", "x"], in: home)
        #expect(missed.code == 66)
        let several = try await run(["shop.json", "--product", "N"], in: home)
        #expect(several.code == 64)
    }

    @Test("what is in a file that is no product, and what it is called")
    func files() async throws {
        let home = try TemporaryFolder()
        try home.write(#"{"@type":"\#(HostileText.escaped)"}"#, to: "types.json")
        let types = try await run(["types.json"], in: home)
        #expect(types.errors.contains("it describes: a\u{FFFD}[2J"))
        for (index, scalar) in Self.hostile.unicodeScalars.enumerated() where !scalar.isLetterOrSign {
            try home.write("{\(scalar)", to: "\(index).json")
            let outcome = try await run(["\(index).json"], in: home)
            #expect(outcome.code == 66)
        }
        let name = "x\(Self.hostile).json"
        try home.write(Self.json, to: name)
        #expect(try await run([name], in: home).code == 0)
        #expect(try await run(["gone" + name], in: home).code == 66)
        #expect(try await run(["file:///" + Self.hostile], in: home).code != 0)
    }

    @Test("what stands in the arguments, and on standard input")
    func arguments() async throws {
        let home = try TemporaryFolder()
        try home.write(Self.json, to: "shop.json")
        try home.write("x", to: "damaged\(Self.hostile)")
        let text = Self.hostile
        for (arguments, code) in [
            (["--" + text], 64), (["-" + text], 64), (["--lis" + text], 64), (["--list=" + text], 64),
            (["--events", text], 64), (["--events=load," + text], 64), (["--latency", text], 64),
            (["--fail-rate", text], 64), (["--seed", text], 64), (["--timeout", text], 64),
            (["a", text], 64), ([text, "b"], 64), (["http://" + text], 64), (["http:" + text], 64),
            (["x://" + text], 64), (["a" + text + "://x"], 66), (["--product", text, "--latency", "0"], 66),
            (["--cart", "damaged" + text, "--latency", "0"], 0),
            (["--analytics", text + "/" + text, "--latency", "0"], 1),
        ] as [([String], Int32)] {
            let outcome = try await run(arguments, in: home)
            #expect(outcome.code == code, "\(arguments.debugDescription)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
        let input = try await run(["--latency", "0", "--events", "-"], input: "load\n\(text)", in: home)
        #expect(input.code == 64)
    }

    @Test("what a server says, in its head and in its body")
    func servers() async throws {
        let home = try TemporaryFolder()
        let text = Self.hostile.replacing("\r\n", with: "")
        let server = try LoopbackServer.ofBytes { head in
            switch path(of: head) {
            case "/status": AnySequence([Array(answer("404 \(text)", body: text).utf8)])
            case "/moved": AnySequence([Array(answer("302 Found", ["Location: x\(text):y"]).utf8)])
            case "/type":
                AnySequence([
                    Array(answer("200 OK", ["Content-Type: \(text)", "ETag: \(text)"], body: Self.json).utf8)
                ])
            case "/raw":
                AnySequence([
                    Array(
                        answer("200 OK", ["Content-Type: application/json; charset=iso-8859-1"]).replacing(
                            "Content-Length: 0\r\n", with: ""
                        ).utf8)
                        + Array(#"{"@type":"Product","name":"L"#.utf8) + [0x1B, 0x81, 0x9D, 0x8D, 0x90]
                        + Array(#""}"#.utf8)
                ])
            default: AnySequence([Array("\(text)\r\n\r\n".utf8)])
            }
        }
        for path in ["/status", "/moved", "/none"] {
            let outcome = try await run([server.url(path)], in: home)
            #expect(outcome.code == 69)
            #expect(outcome.output == "")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
        #expect(try await run([server.url("/type"), "--events", "load"], in: home).code == 0)
        let raw = try await run([server.url("/raw")], in: home)
        #expect(raw.code == 0 && raw.errors.hasSuffix("shown with replacement characters\n"))
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrSign: Bool { (0x21...0x7E).contains(value) }
}
