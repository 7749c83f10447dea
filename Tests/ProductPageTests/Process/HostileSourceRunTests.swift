import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ProductPage
@testable import ProductReading

/// What a source can do to the tool that loads it: each ends in a page or in one clear line, in bounded memory.
@Suite(.timeLimit(.minutes(10)), .tags(.noSharedState)) struct HostileSourceRunTests {
    private static let lamp = #"{"@type":"Product","sku":"L","name":"Lamp"}"#

    /// Loads a source, looks how much memory that took, and lets the tool end.
    ///
    /// - Parameters:
    ///   - isMeasured: False for what is too slow to be measured each time.
    ///   - expected: What is said of the source on standard error; nil if a product is shown.
    /// - Returns: The last line of standard output: the state as JSON.
    @discardableResult private func load(
        _ source: String, in home: borrowing TemporaryFolder, _ code: Int32 = 0, _ expected: String? = nil,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) async throws -> String {
        let seen = Mutex((lines: [String](), peak: 0))
        let outcome = try await home.talk("\(source) --json --events - --timeout 3600") { tool in
            tool.input.write("load\n")
            while let line = tool.output.readLine() {
                if line.withoutSlowness().isEmpty { continue }
                seen.withLock { $0.lines.append(line) }
                if !line.hasSuffix(#""state":"loading"}"#), !line.hasSuffix(#""state":"start"}"#) { break }
            }
            seen.withLock { $0.peak = tool.peak }
        }
        let (lines, peak) = seen.withLock { $0 }
        let errors = expected.map { "product-page: \(source): \($0)\n" } ?? ""
        #expect(outcome == Outcome(code, errors: errors), sourceLocation: sourceLocation)
        #expect(lines.count == 3 && peak < 200, sourceLocation: sourceLocation)
        #if os(Linux)
            #expect(peak > 0, sourceLocation: sourceLocation)
        #endif
        return lines.last ?? ""
    }

    private static func head(_ headers: String...) -> String {
        (["HTTP/1.1 200 OK", "Connection: close"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// The path, the answer, the exit code, and what is said.
    static let answers: [(String, @Sendable () -> AnySequence<[UInt8]>, Int32, String)] = [
        (
            "/sized",
            { HostileBody.spaces(megabytes: 50, after: head("Content-Length: \(50 * 1024 * 1024)")) }, 66,
            "is larger than 16 MiB"
        ),
        ("/unsized", { HostileBody.spaces(megabytes: 50, after: head()) }, 66, "is larger than 16 MiB"),
        ("/bomb", { HostileBody.bomb(after: head("Content-Encoding: gzip")) }, 66, "is larger than 16 MiB"),
        (
            "/sized-bomb",
            { HostileBody.bomb(after: head("Content-Encoding: gzip", "Content-Length: 7000000")) }, 66,
            "is larger than 16 MiB"
        ),
        ("/endless", { HostileBody.endless(after: head()) }, 66, "is larger than 16 MiB"),
        (
            "/flood", { HostileBody.flood(after: head("Transfer-Encoding: chunked")) }, 69,
            "sends its answer in too many small pieces"
        ),
        (
            "/half", { AnySequence([Array((head("Content-Length: 100") + lamp).utf8)]) }, 69,
            "the connection was closed before the answer was complete"
        ),
        (
            "/file", { AnySequence([Array(answer("302 Found", ["Location: file:///etc/passwd"]).utf8)]) }, 69,
            "redirects to a file: address, which is not followed"
        ),
    ]

    @Test("bodies without an end, and servers that lead astray or stop in the middle", arguments: answers)
    func body(
        path: String, answer: @escaping @Sendable () -> AnySequence<[UInt8]>, code: Int32, expected: String
    ) async throws {
        let server = try LoopbackServer.ofBytes { _ in answer() }
        try await load(server.url(path), in: TemporaryFolder(), code, expected)
    }

    @Test("redirects that never come to an end are followed ten times")
    func astray() async throws {
        let count = Atomic(0)
        let server = try LoopbackServer { _ in
            answer("302 Found", ["Location: /\(count.add(1, ordering: .relaxed).newValue)"])
        }
        try await load(server.url("/again"), in: TemporaryFolder(), 69, "redirects more than 10 times")
    }

    @Test("a server that sends nothing, or a byte now and then, is given up when the time is over")
    func slow() async throws {
        let server = try LoopbackServer.ofBytes { request in
            path(of: request) == "/drip"
                ? HostileBody.endless(Self.head("Content-Type: application/json").utf8, [0x20]) : nil
        }
        for path in ["/silent", "/drip"] {
            let url = server.url(path)
            try await Failure("\(url) --timeout 0.5", 69, "\(url): no answer within 0.5 s").expect()
        }
    }

    @Test(
        "JSON nested a hundred thousand deep",
        arguments: [("[", 513), (#"{"a":"#, 2561), (#"{"@graph":["#, 2817)])
    func nested(opening: String, column: Int) async throws {
        let home = try TemporaryFolder(["deep.json": String(repeating: opening, count: 100_000)])
        let line = "not valid JSON at line 1, column \(column): nested deeper than 512 levels"
        try await load("deep.json", in: home, 66, line)
    }

    @Test("one script nested too deep does not hide the page's others")
    func nestedScript() async throws {
        let scripts = [String(repeating: "[", count: 100_000), Self.lamp].map {
            #"<script type="application/ld+json">\#($0)</script>"#
        }
        let outcome = try await TemporaryFolder(["page.html": scripts.joined()]).run("page.html")
        #expect(outcome.lines.first == "Lamp" && outcome.code == 0)
    }

    @Test("megabytes of what takes the most room: kinds, attributes, bytes that are no text")
    func expensive() async throws {
        // As much as is read at all, in the long run.
        let room = min(ProductReader.maximumBytes, rounds(1_200_000, stress: 3_000_000)) - 1_000_000
        let kinds = (0..<min(room / 36, 80_000)).map { #"{"@type":"a kind of thing \#($0)"}"# }
        let attributes = String(repeating: "b=c ", count: room / 4)
        let home = try TemporaryFolder([
            "kinds.json": "[\(Self.lamp),\(kinds.joined(separator: ","))]",
            "page.html": #"<a \#(attributes)><script type="application/ld+json">\#(Self.lamp)</script>"#,
        ])
        let bytes = Array(#"{"@type":"Product","name":""#.utf8) + [UInt8](repeating: 0xFF, count: 6_000_000)
        try Data(bytes + Array(#""}"#.utf8)).write(to: URL(filePath: home.file("bytes.json")))
        #expect(try await load("kinds.json", in: home).contains(#""name":"Lamp""#))
        #expect(try await load("page.html", in: home).contains(#""name":"Lamp""#))
        try await load("bytes.json", in: home, 66, "is larger than 16 MiB")
    }

    /// `HostileReadingTests` reads as many in one list in each run, without the tool.
    @Test(
        "more products or members than any shop has are one line, however they are spread",
        .enabled(if: isStress))
    func many() async throws {
        func lamp(_ number: Int) -> String { #"{"@type":"Product","name":"x\#(number)"}"# }
        let count = min(220_000, rounds(20_001))
        let lamps = (0..<count).map(lamp)
        let members = (0..<min(797_000, rounds(130_000))).map { #""member-\#(1_000_000 + $0)":1"# }
        let home = try TemporaryFolder([
            "products.json": "[\(lamps.joined(separator: ","))]",
            "scripts.html": lamps.map { #"<script type="application/ld+json">\#($0)</script>"# }.joined(),
            "members.json": "{\(members.joined(separator: ","))}",
            "most.json": "[\((0..<20_000).map(lamp).joined(separator: ","))]",
        ])
        for name in ["products.json", "scripts.html", "members.json"] {
            let outcome = try await home.run(name)
            let isTooMany = outcome.errors == "product-page: \(name): has more than 20000 products\n"
            #expect(outcome.code == 66)
            // Of the largest of them the reader has had enough before they are counted.
            #expect(
                isTooMany && name != "members.json"
                    || (count > 50_000 || name == "members.json")
                        && outcome.errors.hasSuffix(": more than 250000 values and names\n")
            )
        }
        // The largest that is accepted.
        #expect(try await load("most.json", in: home).contains(#""name":"x0""#))
    }

    @Test("bytes that are no UTF-8 cost themselves and not the page")
    func invalidText() async throws {
        let home = try TemporaryFolder()
        let bytes =
            Array(#"{"@type":"Product","sku":"L","name":"La"#.utf8) + [0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80]
        try Data(bytes + Array(#"mp"}"#.utf8)).write(to: URL(filePath: home.file("lamp.json")))
        let outcome = try await home.run("lamp.json")
        #expect(outcome.lines.first == "La\u{FFFD}\u{FFFD}(\u{FFFD}\u{FFFD}\u{FFFD}mp" && outcome.code == 0)
        let notice = "is not valid UTF-8; what is not is shown with replacement characters"
        #expect(outcome.errors == "product-page: lamp.json: \(notice)\n")
    }

    @Test("a product with thousands of offers is one product with their range")
    func manyOffers() async throws {
        let offers = (1...min(10_000, rounds(2_000, stress: 10_000))).map {
            #"{"@type":"Offer","price":"\#($0).50","priceCurrency":"EUR","availability":"https://schema.org/SoldOut"}"#
        }
        let home = try TemporaryFolder([
            "offers.json": #"{"@type":"Product","name":"Lamp","offers":[\#(offers.joined(separator: ","))]}"#
        ])
        let state = try await load("offers.json", in: home)
        #expect(state.contains(#""text":"1.50–\#(offers.count).50 EUR""#))
        #expect(state.contains(#""availability":"sold out""#))
    }

    @Test("a name of a megabyte is cut, and says so")
    func longName() async throws {
        let name = String(repeating: "Lamp ", count: 209_715) + "!"
        let home = try TemporaryFolder(["long.json": #"{"@type":"Product","sku":"L","name":"\#(name)"}"#])
        for mode in ["", "--events load,add", "--list", "--list --json"] {
            let outcome = try await home.run("long.json " + mode)
            #expect(outcome.lines.allSatisfy { $0.count <= 1100 })
            if mode == "" { #expect(outcome.lines.count == 3 && outcome.lines[0].hasSuffix("…")) }
            if mode.hasSuffix("json") { #expect(outcome.output.contains(#"…","sku":"L""#)) }
        }
        try await load("long.json", in: home)
    }

    @Test(
        "a price that is no number is shown as it is, and a number that can be kept exactly",
        arguments: [
            (#""NaN""#, "NaN"), ("1e400", "no price given"), ("-0", "0.00 EUR"), (#""1.299""#, "1.299 EUR"),
            (#""1.299,00""#, "1299.00 EUR"), (#""1e400""#, "1e400 EUR"), (#""Infinity""#, "Infinity"),
        ])
    func prices(given: String, shown: String) async throws {
        let offer = #"{"price":\#(given),"priceCurrency":"EUR"}"#
        let home = try TemporaryFolder(["p.json": #"{"@type":"Product","name":"L","offers":\#(offer)}"#])
        #expect(
            try await home.run("p.json") == Outcome(0, "L\n  Price:        \(shown)\n  Id:           L\n"))
        // No such price ever makes the cart one that cannot be read again.
        let twice = try await home.run("p.json --events load,add,wait,load,add")
        #expect(twice.lines.last?.hasPrefix("added: L, ") == true && twice.output.hasSuffix("cart 2\n"))
    }
}
