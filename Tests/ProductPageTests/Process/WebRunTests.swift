import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ProductPage
@testable import ProductReading

@Suite(.timeLimit(.minutes(10)), .tags(.noSharedState)) struct WebRunTests {
    private static let lamp = #"{"@type":"Product","sku":"L","name":"Lamp"}"#
    private static let page = Outcome(0, "Lamp\n  Price:        no price given\n  Id:           L\n")

    /// What the shop answers to each path; nothing at all to `/silent`.
    private static let answers = [
        "/page": answer(
            "200 OK", ["Content-Type: text/html"],
            body: "<html><script type=\"application/ld+json\">\(lamp)</script></html>"),
        "/json": answer("200 OK", ["Content-Type: application/json"], body: lamp),
        "/moved": answer("301 Moved Permanently", ["Location: deeper/found"]),
        "/deeper/found": answer("302 Found", ["Location: /json"]),
        "/loop": answer("302 Found", ["Location: /loop"]),
        "/elsewhere": answer("302 Found", ["Location: file:///etc/passwd"]),
        "/500": answer("500 Internal Server Error", body: lamp),
        "/none": answer("200 OK", body: "<html><p>About us</p></html>"),
        "/malformed": answer("200 OK", body: "{\"@type\" \"Product\"}"),
        "/truncated": answer("200 OK", body: String(lamp.dropLast(2))),
        "/empty": answer("200 OK"),
        "/closed": "",
        "/half-head": "HTTP/1.1 200 OK\r\nContent-Ty",
        "/broken": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + lamp,
        "/half-packed": "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n\u{1F}",
    ]

    private func shop() throws -> LoopbackServer {
        try LoopbackServer {
            $0 == "/silent" ? nil : Self.answers[$0] ?? answer("404 Not Found", body: Self.lamp)
        }
    }

    /// The path and options, the exit code, and what is said of the address.
    static let failures: [(String, Int32, String)] = [
        ("/nothing", 69, "answered 404 Not Found"), ("/500", 69, "answered 500 Internal Server Error"),
        ("/closed", 69, "the connection was closed without a proper answer"),
        ("/half-head", 69, "the connection was closed without a proper answer"),
        ("/broken", 69, "the connection was closed before the answer was complete"),
        ("/half-packed", 69, "the connection was closed before the answer was complete"),
        ("/loop", 69, "redirects more than 10 times"),
        ("/elsewhere", 69, "redirects to a file: address, which is not followed"),
        ("/silent --timeout 0.1", 69, "no answer within 0.1 s"),
        ("/none", 66, "no schema.org Product: the page has no JSON-LD, microdata or RDFa…"),
        ("/malformed", 66, "not valid JSON at line 1, column 19: malformed…"),
        ("/truncated", 66, "not valid JSON at line 1, column …"), ("/empty", 66, "is empty"),
    ]

    @Test("a server that does not deliver, or no product", arguments: failures)
    func fails(line: String, code: Int32, reason: String) async throws {
        let shop = try shop()
        let path = line.split(separator: " ")[0]
        try await Failure(shop.url(line), code, "\(shop.url(String(path))): \(reason)").expect()
    }

    @Test("a port without a server, and an address with a password, which is never repeated")
    func refused() async throws {
        let (port, shop) = (try LoopbackPort(), try shop())
        try await Failure(port.url("/x"), 69, "\(port.url("/x")): connection refused, or no server there")
            .expect()
        try await Failure(
            "http://me:secret@\(shop.address)/500", 69,
            "\(shop.url("/500")): answered 500 Internal Server Error"
        ).expect()
    }

    @Test("a page and its JSON are shown; redirects are followed, relative ones and those to another server")
    func good() async throws {
        let shop = try shop()
        let location = shop.url("/page")
        let other = try LoopbackServer { _ in answer("302 Found", ["Location: \(location)"]) }
        for url in [shop.url("/page"), shop.url("/json"), shop.url("/moved"), other.url("/anything")] {
            #expect(try await TemporaryFolder().run(url + " --timeout 3600") == Self.page)
        }
        let asked = shop.received.map { $0.split(separator: " ")[1] }
        #expect(asked == ["/page", "/json", "/moved", "/deeper/found", "/json", "/page"])
    }

    @Test("an answer that drips without an end takes longer than --timeout, which is for all of it")
    func dripping() async throws {
        let head = answer("200 OK").replacing("Content-Length: 0", with: "Content-Length: 1000000")
        let shop = try LoopbackServer.inPieces { _ in
            AnySequence(sequence(first: head + Self.lamp) { _ in " " })
        }
        try await Failure(
            "\(shop.url("/drip")) --timeout 1", 69, "\(shop.url("/drip")): no answer within 1 s"
        ).expect()
    }

    @Test(
        "a good answer that comes late, but within --timeout, is shown",
        arguments: ["nothing of it", "its head", "half of it"])
    func late(before: String) async throws {
        let whole = answer("200 OK", body: Self.lamp)
        let length = ["its head": whole.count - Self.lamp.count, "half of it": whole.count - 10][before] ?? 0
        let (asked, asking) = AsyncStream<Void>.makeStream()
        let isTime = DispatchSemaphore(value: 0)
        defer { isTime.signal() }
        let shop = try LoopbackServer.inPieces { path in
            guard path == "/late" else { return AnySequence([whole]) }
            let early = CollectionOfOne(String(whole.prefix(length)))
            let late = whole.dropFirst(length).lazy.map(String.init)
            let wait = CollectionOfOne(()).lazy.map { () -> String in
                asking.finish()
                isTime.wait()
                return ""
            }
            return AnySequence([AnySequence(early), AnySequence(wait), AnySequence(late)].joined())
        }
        let line = "\(shop.url("/late")) --timeout 3600"
        async let outcome = { try await TemporaryFolder().run(line) }()
        for await _ in asked {}

        // The answer is late by all that another one takes from its start to its end.
        let url = try #require(URL(string: shop.url("/other")))
        let other = try await WebSource(url: url, program: BuiltTool.path).page()
        #expect(other.body == Array(Self.lamp.utf8))
        isTime.signal()
        #expect(try await outcome == Self.page)
    }

    @Test("a refresh that fails keeps the page, and is the error at the end")
    func failingRefresh() async throws {
        let count = Atomic(0)
        let shop = try LoopbackServer { _ in
            count.add(1, ordering: .relaxed).newValue == 1
                ? answer("200 OK", body: Self.lamp) : answer("503 Busy")
        }
        let outcome = try await TemporaryFolder().run(
            "\(shop.url("/x")) --timeout 3600 --json --events load,add,refresh")
        let reason = "\(shop.url("/x")): answered 503 Service Unavailable"
        let known = #""product":{"id":"L","name":"Lamp","sku":"L"},"state""#
        let line = #"{"id":"L","name":"Lamp","quantity":1,"source":"\#(shop.url("/x"))"}"#
        let cart = #""cart":{"count":1,"lines":[\#(line)]}"#
        #expect(
            outcome.lines.suffix(3) == [
                #"{\#(cart),\#(known):"added"}"#, #"{\#(cart),\#(known):"loading"}"#,
                #"{\#(cart),"error":"\#(reason)",\#(known):"error"}"#,
            ])
        #expect(outcome.errors == "product-page: \(reason)\n" && outcome.code == 69)
    }

    @Test(
        "a certificate that no authority has signed is not trusted: one line, and nothing is shown",
        .enabled(if: SelfSignedServer.isPossible, "there is no openssl here"))
    func selfSigned() async throws {
        let folder = try TemporaryFolder()
        let home = try TemporaryFolder()
        let server = try await SelfSignedServer(in: folder.path)
        let line = "\(server.url("/")): the server's certificate cannot be trusted"
        #expect(
            try await home.run(server.url("/") + " --timeout 3600")
                == Outcome(69, errors: "product-page: \(line)\n"))
        #expect(!FileManager.default.fileExists(atPath: home.file(".cache/product-page")))
        // The same server is one that answers, for who does not ask for its papers.
        #expect(try server.answersWithoutChecks())
    }

    #if os(Linux)
        @Test("a load closes what it has opened")
        func descriptors() async throws {
            let shop = try shop()
            let counts = Mutex<[Int]>([])
            let outcome = try await TemporaryFolder().talk("\(shop.url("/json")) --timeout 3600 --events -") {
                tool in
                for _ in 1...60 {
                    tool.input.write("refresh\n")
                    while let line = tool.output.readLine(), !line.hasPrefix("loaded") {}
                    // Threads with a run loop keep a few; a leak would be one for each load.
                    counts.withLock { $0.append(tool.descriptorCount) }
                }
            }
            #expect(outcome.code == 0)
            let all = counts.withLock { $0 }
            #expect(all.count == 60 && all[59] < all[3] + 40, "\(all)")
        }
    #endif
}
