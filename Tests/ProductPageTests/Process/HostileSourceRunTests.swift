import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ProductPage

/// What a source can do to the tool that loads it: each ends in a page or in one clear line, in bounded memory.
@Suite(.timeLimit(.minutes(10))) struct HostileSourceRunTests {
    private static let lamp = #"{"@type":"Product","sku":"L","name":"Lamp"}"#

    /// - Parameter saying: The line on standard error, after the name of the source.
    private func expectLine(
        from source: String, code: Int32, saying line: String,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run(source)
        let expected = Outcome(code: code, output: "", errors: "product-page: \(source): \(line)\n")
        #expect(outcome == expected, sourceLocation: sourceLocation)
        try await expectBoundedMemory(source, sourceLocation: sourceLocation)
    }

    private func expectBoundedMemory(
        _ source: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) async throws {
        let home = try TemporaryFolder()
        let resting = try await RestingTool(in: home, source)
        #expect(resting.lines.count == 3, sourceLocation: sourceLocation)
        #if os(Linux)
            let peak = try #require(resting.peak, sourceLocation: sourceLocation)
            #expect(peak < 200, sourceLocation: sourceLocation)
        #endif
    }

    private func head(_ headers: String...) -> String {
        (["HTTP/1.1 200 OK", "Connection: close"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }

    @Test("bodies that are too large are given up: announced, not announced, compressed, without an end")
    func largeBodies() async throws {
        let (plain, sized) = (head(), head("Content-Length: \(50 * 1024 * 1024)"))
        let (packed, deflated) = (
            head("Content-Encoding: gzip"), head("Content-Encoding: gzip", "Content-Length: 7000000")
        )
        let server = try LoopbackServer.ofBytes { head in
            switch path(of: head) {
            case "/sized": HostileBody.spaces(megabytes: 50, after: sized)
            case "/unsized": HostileBody.spaces(megabytes: 50, after: plain)
            case "/bomb": HostileBody.bomb(after: packed)
            case "/sized-bomb": HostileBody.bomb(after: deflated)
            default: HostileBody.endless(after: plain)
            }
        }
        for path in ["/sized", "/unsized", "/bomb", "/sized-bomb", "/endless"] {
            try await expectLine(from: server.url(path), code: 66, saying: "is larger than 16 MiB")
        }
    }

    @Test("servers that lead astray, or stop in the middle")
    func astray() async throws {
        let count = Atomic(0)
        let server = try LoopbackServer { path in
            switch path {
            case "/file": answer("302 Found", ["Location: file:///etc/passwd"])
            case "/half": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + Self.lamp
            case "/half-packed":
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n\u{1F}"
            default: answer("302 Found", ["Location: /\(count.add(1, ordering: .relaxed).newValue)"])
            }
        }
        try await expectLine(
            from: server.url("/file"), code: 69, saying: "redirects to a file: address, which is not followed"
        )
        try await expectLine(
            from: server.url("/again"), code: 69, saying: "redirects more than 10 times")
        for path in ["/half", "/half-packed"] {
            try await expectLine(
                from: server.url(path), code: 69,
                saying: "the connection was closed before the answer was complete")
        }
    }

    @Test("an answer in chunks of a byte each, faster than anyone can read them, is given up")
    func flood() async throws {
        let head = head("Transfer-Encoding: chunked")
        let server = try LoopbackServer.ofBytes { _ in HostileBody.flood(after: head) }
        try await expectLine(
            from: server.url("/flood"), code: 69, saying: "sends its answer in too many small pieces")
    }

    @Test("a server that sends nothing, or a byte now and then, is given up when the time is over")
    func slow() async throws {
        let head = head("Content-Type: application/json")
        let server = try LoopbackServer.ofBytes { request in
            guard path(of: request) == "/drip" else { return nil }
            return AnySequence(sequence(first: Array(head.utf8)) { _ in [0x20] })
        }
        for path in ["/silent", "/drip"] {
            try await expectFailure(
                server.url(path), "--timeout", "0.5", code: 69,
                saying: "\(server.url(path)): no answer within 0.5 s")
        }
    }

    @Test("JSON nested a hundred thousand deep", arguments: ["[", #"{"a":"#, #"{"@graph":["#])
    func nested(opening: String) async throws {
        let home = try TemporaryFolder()
        let path = home.file("deep.json")
        try home.write(String(repeating: opening, count: 100_000), to: "deep.json")
        let outcome = try await ToolRun(in: home).run(path)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("product-page: \(path): not valid JSON at line 1, column "))
        #expect(outcome.errors.hasSuffix(": nested deeper than 512 levels\n"))
        #expect(outcome.code == 66)
        try await expectBoundedMemory(path)
    }

    @Test("one script nested too deep does not hide the page's others")
    func nestedScript() async throws {
        let home = try TemporaryFolder()
        let deep = String(repeating: "[", count: 100_000)
        try home.write(
            #"<script type="application/ld+json">\#(deep)</script>"#
                + #"<script type="application/ld+json">\#(Self.lamp)</script>"#, to: "page.html")
        let outcome = try await ToolRun(in: home).run("page.html")
        #expect(outcome.lines.first == "Lamp")
        #expect(outcome.code == 0)
    }

    @Test("megabytes of what takes the most room: kinds, attributes, bytes that are no text")
    func expensive() async throws {
        let home = try TemporaryFolder()
        // As much as is read at all, in the long run.
        let room = min(FileSource.maximumBytes, rounds(1_500_000, stress: 3_000_000)) - 1_000_000
        let kinds = (0..<min(room / 36, 80_000)).map { #"{"@type":"a kind of thing \#($0)"}"# }.joined(
            separator: ",")
        try home.write("[\(Self.lamp),\(kinds)]", to: "kinds.json")
        let attributes = String(repeating: "b=c ", count: room / 4)
        try home.write(
            #"<a \#(attributes)><script type="application/ld+json">\#(Self.lamp)</script>"#, to: "page.html")
        let bytes = Array(#"{"@type":"Product","name":""#.utf8) + [UInt8](repeating: 0xFF, count: 6_000_000)
        try Data(bytes + Array(#""}"#.utf8)).write(to: URL(filePath: home.file("bytes.json")))
        for (name, line) in [
            ("kinds.json", nil), ("page.html", nil), ("bytes.json", "is larger than 16 MiB"),
        ] {
            let path = home.file(name)
            let outcome = try await ToolRun(in: home).run(path)
            #expect(outcome.errors == (line.map { "product-page: \(path): \($0)\n" } ?? ""))
            #expect(outcome.lines.first == (line == nil ? "Lamp" : nil))
            try await expectBoundedMemory(path)
        }
    }

    @Test("more products or members than any shop has are one line, however they are spread")
    func many() async throws {
        let home = try TemporaryFolder()
        func lamp(_ number: Int) -> String { #"{"@type":"Product","name":"x\#(number)"}"# }
        let count = min(220_000, rounds(20_001))
        try home.write("[\((0..<count).map(lamp).joined(separator: ","))]", to: "products.json")
        let scripts = (0..<count).map { #"<script type="application/ld+json">\#(lamp($0))</script>"# }
        try home.write(scripts.joined(), to: "scripts.html")
        let members = (0..<min(797_000, rounds(130_000))).map { #""member-\#(1_000_000 + $0)":1"# }
        try home.write("{\(members.joined(separator: ","))}", to: "members.json")
        try home.write("[\((0..<20_000).map(lamp).joined(separator: ","))]", to: "most.json")
        for name in ["products.json", "scripts.html"] {
            let outcome = try await ToolRun(in: home).run(name)
            #expect(outcome.code == 66)
            // Of the largest of them the reader has had enough before they are counted.
            #expect(
                outcome.errors == "product-page: \(name): has more than 20000 products\n"
                    || count > 50_000 && outcome.errors.hasSuffix(": more than 250000 values and names\n"))
        }
        let outcome = try await ToolRun(in: home).run("members.json")
        #expect(outcome.code == 66)
        #expect(outcome.errors.hasSuffix(": more than 250000 values and names\n"))
        #expect(try await ToolRun(in: home).run("most.json").lines.first == "x0")
        // The last is the largest that is accepted.
        let names = ["products.json", "scripts.html", "members.json", "most.json"]
        for name in isStress ? names : names.suffix(1) {
            try await expectBoundedMemory(home.file(name))
        }
    }

    @Test("bytes that are no UTF-8 cost themselves and not the page")
    func invalidText() async throws {
        let home = try TemporaryFolder()
        let bytes =
            Array(#"{"@type":"Product","sku":"L","name":"La"#.utf8) + [0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80]
        try Data(bytes + Array(#"mp"}"#.utf8)).write(to: URL(filePath: home.file("lamp.json")))
        let outcome = try await ToolRun(in: home).run("lamp.json")
        #expect(outcome.lines.first == "La\u{FFFD}\u{FFFD}(\u{FFFD}\u{FFFD}\u{FFFD}mp")
        #expect(outcome.code == 0)
        let notice = "is not valid UTF-8; what is not is shown with replacement characters"
        #expect(outcome.errors == "product-page: lamp.json: \(notice)\n")
    }

    @Test("a product with thousands of offers is one product with their range")
    func manyOffers() async throws {
        let home = try TemporaryFolder()
        let count = rounds(2_000, stress: 10_000)
        let offers = (1...min(10_000, count)).map {
            #"{"@type":"Offer","price":"\#($0).50","priceCurrency":"EUR","availability":"https://schema.org/SoldOut"}"#
        }
        let path = home.file("offers.json")
        try home.write(
            #"{"@type":"Product","name":"Lamp","offers":[\#(offers.joined(separator: ","))]}"#,
            to: "offers.json")
        let outcome = try await ToolRun(in: home).run(path)
        #expect(
            outcome.lines == [
                "Lamp", "  Price:        1.50–\(offers.count).50 EUR", "  Availability: sold out",
                "  Id:           Lamp",
            ])
        try await expectBoundedMemory(path)
    }

    @Test("a name of a megabyte is cut, and says so")
    func longName() async throws {
        let home = try TemporaryFolder()
        let name = String(repeating: "Lamp ", count: 209_715) + "!"
        let path = home.file("long.json")
        try home.write(#"{"@type":"Product","sku":"L","name":"\#(name)"}"#, to: "long.json")
        let outcome = try await ToolRun(in: home).run(path)
        #expect(outcome.lines.count == 3)
        #expect(outcome.lines.allSatisfy { $0.count <= 1100 })
        #expect(outcome.lines.first?.hasSuffix("…") == true)
        let script = try await ToolRun(in: home).run(path, "--events", "load,add")
        #expect(script.lines.allSatisfy { $0.count <= 1100 })
        let list = try await ToolRun(in: home).run(path, "--list")
        #expect(list.lines.allSatisfy { $0.count <= 1100 })
        let json = try await ToolRun(in: home).run(path, "--list", "--json")
        #expect(json.lines.allSatisfy { $0.count <= 1100 && $0.contains(#"…","sku":"L""#) })
        try await expectBoundedMemory(path)
    }

    @Test(
        "a price that is no number is shown as it is, and a number that can be kept exactly",
        arguments: [
            (#""NaN""#, "NaN"), ("1e400", "no price given"), ("-0", "0.00 EUR"), (#""1.299""#, "1.299 EUR"),
            (#""1.299,00""#, "1299.00 EUR"), (#""1e400""#, "1e400 EUR"), (#""Infinity""#, "Infinity"),
        ])
    func prices(given: String, shown: String) async throws {
        let home = try TemporaryFolder()
        try home.write(
            #"{"@type":"Product","name":"L","offers":{"price":\#(given),"priceCurrency":"EUR"}}"#,
            to: "p.json")
        let outcome = try await ToolRun(in: home).run("p.json")
        #expect(outcome.lines == ["L", "  Price:        \(shown)", "  Id:           L"])
        #expect(outcome.code == 0)
        // No such price ever makes the cart one that cannot be read again.
        let twice = try await ToolRun(in: home).run("p.json", "--events", "load,add,wait,load,add")
        #expect(twice.lines.last?.hasPrefix("added: L, ") == true)
        #expect(twice.lines.last?.hasSuffix("cart 2") == true)
    }
}
