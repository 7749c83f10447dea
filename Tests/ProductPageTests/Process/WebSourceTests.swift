import Foundation
import Synchronization
import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct WebSourceTests {
    private static let lamp = #"{"@type":"Product","sku":"L","name":"Lamp"}"#

    /// A shop with one page for each thing that can happen.
    private func shop() throws -> LoopbackServer {
        try LoopbackServer { path in
            switch path {
            case "/page":
                answer(
                    "200 OK", ["Content-Type: text/html"],
                    body: "<html><script type=\"application/ld+json\">\(Self.lamp)</script></html>")
            case "/json": answer("200 OK", ["Content-Type: application/json"], body: Self.lamp)
            case "/moved": answer("301 Moved Permanently", ["Location: deeper/found"])
            case "/deeper/found": answer("302 Found", ["Location: /json"])
            case "/loop": answer("302 Found", ["Location: /loop"])
            case "/elsewhere": answer("302 Found", ["Location: file:///etc/passwd"])
            case "/500": answer("500 Internal Server Error", body: Self.lamp)
            case "/none": answer("200 OK", body: "<html><p>About us</p></html>")
            case "/malformed": answer("200 OK", body: "{\"@type\" \"Product\"}")
            case "/truncated": answer("200 OK", body: String(Self.lamp.dropLast(2)))
            case "/empty": answer("200 OK")
            case "/closed": ""
            case "/half-head": "HTTP/1.1 200 OK\r\nContent-Ty"
            case "/broken": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + Self.lamp
            case "/silent": nil
            default: answer("404 Not Found", body: Self.lamp)
            }
        }
    }

    private func absolute(_ target: LoopbackServer) throws -> LoopbackServer {
        let location = target.url("/page")
        return try LoopbackServer { _ in answer("302 Found", ["Location: \(location)"]) }
    }

    @Test("a page and its JSON are shown", arguments: ["/page", "/json"])
    func good(path: String) async throws {
        let home = try TemporaryFolder()
        let shop = try shop()
        let outcome = try await ToolRun(in: home).run(shop.url(path))
        #expect(outcome == Outcome(code: 0, output: page, errors: ""))
    }

    @Test("redirects are followed, relative ones and those to another server")
    func redirects() async throws {
        let home = try TemporaryFolder()
        let shop = try shop()
        let other = try absolute(shop)
        for url in [shop.url("/moved"), other.url("/anything")] {
            let outcome = try await ToolRun(in: home).run(url)
            #expect(outcome == Outcome(code: 0, output: page, errors: ""))
        }
        let asked = shop.received.map { $0.split(separator: " ")[1] }
        #expect(asked == ["/moved", "/deeper/found", "/json", "/page"])
    }

    @Test("a server that does not deliver is unreachable")
    func unavailable() async throws {
        let shop = try shop()
        for (path, reason) in [
            ("/nothing", "answered 404 Not Found"),
            ("/500", "answered 500 Internal Server Error"),
            ("/closed", "the connection was closed without a proper answer"),
            ("/half-head", "the connection was closed without a proper answer"),
            ("/broken", "the connection was closed before the answer was complete"),
            ("/loop", "redirects more than 10 times"),
            ("/elsewhere", "redirects to a file: address, which is not followed"),
        ] {
            try await expectFailure(shop.url(path), code: 69, saying: "\(shop.url(path)): \(reason)")
        }
    }

    @Test("a port without a server")
    func refused() async throws {
        let port = try ClosedPort()
        try await expectFailure(
            port.url("/x"), code: 69, saying: "\(port.url("/x")): connection refused, or no server there")
    }

    @Test("an answer that takes longer than --timeout, which is for all of it")
    func slow() async throws {
        let shop = try shop()
        try await expectFailure(
            shop.url("/silent"), "--timeout", "0.1", code: 69,
            saying: "\(shop.url("/silent")): no answer within 0.1 s")
    }

    @Test("an answer that drips without an end takes longer than --timeout, too")
    func dripping() async throws {
        let head = answer("200 OK").replacing("Content-Length: 0", with: "Content-Length: 1000000")
        let shop = try LoopbackServer.inPieces { _ in
            AnySequence(sequence(first: head + Self.lamp) { _ in " " })
        }
        try await expectFailure(
            shop.url("/drip"), "--timeout", "1", code: 69,
            saying: "\(shop.url("/drip")): no answer within 1 s")
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
        let home = try TemporaryFolder()
        let run = ToolRun(in: home)
        async let outcome = run.run(shop.url("/late"), "--timeout", "60")
        for await _ in asked {}

        // The answer is late by all that another one takes from its start to its end.
        let url = try #require(URL(string: shop.url("/other")))
        let other = try await WebSource(url: url, program: BuiltTool.path).page()
        #expect(other.body == Array(Self.lamp.utf8))
        isTime.signal()
        #expect(try await outcome == Outcome(code: 0, output: self.page, errors: ""))
    }

    @Test("an answer in which there is no product")
    func noProduct() async throws {
        let shop = try shop()
        for (path, reason) in [
            ("/none", "no schema.org Product: the page has no JSON-LD, microdata or RDFa"),
            ("/malformed", "not valid JSON at line 1, column 19: malformed"),
            ("/truncated", "not valid JSON at line 1, column "),
            ("/empty", "is empty"),
        ] {
            try await expectFailure(shop.url(path), code: 66, beginning: "\(shop.url(path)): \(reason)")
        }
    }

    @Test("a refresh that fails keeps the page, and is the error at the end")
    func failingRefresh() async throws {
        let home = try TemporaryFolder()
        let count = Atomic(0)
        let shop = try LoopbackServer { _ in
            count.add(1, ordering: .relaxed).newValue == 1
                ? answer("200 OK", body: Self.lamp) : answer("503 Busy")
        }
        let outcome = try await ToolRun(in: home).run(
            shop.url("/x"), "--json", "--events", "load,add,refresh")
        let reason = "\(shop.url("/x")): answered 503 Service Unavailable"
        let known = #""product":{"id":"L","name":"Lamp","sku":"L"},"state""#
        let line = #"{"id":"L","name":"Lamp","quantity":1,"source":"\#(shop.url("/x"))"}"#
        let cart = #""cart":{"count":1,"lines":[\#(line)]}"#
        #expect(
            outcome.lines.suffix(3) == [
                #"{\#(cart),\#(known):"added"}"#, #"{\#(cart),\#(known):"loading"}"#,
                #"{\#(cart),"error":"\#(reason)",\#(known):"error"}"#,
            ])
        #expect(outcome.errors == "product-page: \(reason)\n")
        #expect(outcome.code == 69)
    }

    #if os(Linux)
        @Test("a load closes what it has opened")
        func descriptors() async throws {
            let home = try TemporaryFolder()
            let (shop, input, output) = (try shop(), Channel(), Channel())
            let counts = Mutex<[Int]>([])
            let outcome = try await ToolRun(in: home).run(
                [shop.url("/json"), "--events", "-"], input: .handle(input.reading), output: output.writing
            ) { tool in
                input.closeReading()
                output.closeWriting()
                Thread.detachNewThread {
                    for _ in 1...60 {
                        input.write("refresh\n")
                        while let line = output.readLine(), !line.hasPrefix("loaded") {}
                        // Threads with a run loop keep a few; a leak would be one for each load.
                        counts.withLock { $0.append(tool.descriptorCount) }
                    }
                    input.closeWriting()
                    output.closeReading()
                }
            }
            #expect(outcome.code == 0)
            let all = counts.withLock { $0 }
            #expect(all.count == 60 && all[59] < all[3] + 40, "\(all)")
        }
    #endif

    @Test("a password in an address is never repeated")
    func password() async throws {
        let shop = try shop()
        let secret = "http://me:secret@127.0.0.1:\(shop.port)/500"
        try await expectFailure(
            secret, code: 69, saying: "\(shop.url("/500")): answered 500 Internal Server Error")
    }

    private let page = """
        Lamp
          Price:        no price given
          Id:           L

        """
}
