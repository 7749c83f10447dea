import Foundation
import Synchronization
import Testing

@testable import ProductPage

/// Loading again: what is asked, what is remembered, and what the server has a say in.
@Suite(.timeLimit(.minutes(10))) struct CatalogueLoadingTests {
    private func loading(_ url: String, _ folder: borrowing TemporaryFolder) throws -> CatalogueLoading {
        var loader = SourceLoader.live
        loader.memory = PageMemory(folder: folder.file("memory"))
        return CatalogueLoading(source: try SourceLocation(url), loader: loader)
    }

    private func product(_ name: String) -> String { #"{"@type":"Product","sku":"L","name":"\#(name)"}"# }

    private func field(_ name: String, of head: String) -> String? {
        let line = head.components(separatedBy: "\r\n").first {
            $0.lowercased().hasPrefix(name.lowercased() + ":")
        }
        return line.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    private func name(_ catalogue: Catalogue?) -> String? { catalogue?.products.first?.name }

    @Test(
        "a second load asks for what is newer only, and a short answer is enough",
        arguments: ["ETag", "Last-Modified"])
    func unchanged(header: String) async throws {
        let folder = try TemporaryFolder()
        let version = header == "ETag" ? "\"v1\"" : "Sat, 21 Nov 2026 10:00:00 GMT"
        let question = header == "ETag" ? "If-None-Match" : "If-Modified-Since"
        let (whole, body) = (
            answer("200 OK", ["\(header): \(version)"], body: product("Lamp")), RequestCount()
        )
        let server = try LoopbackServer.ofBytes { head in
            guard head.contains("\(question): \(version)") else {
                _ = body.next()
                return AnySequence([Array(whole.utf8)])
            }
            return AnySequence([Array(answer("304 Not Modified").utf8)])
        }
        let loading = try loading(server.url("/lamp"), folder)
        #expect(loading.remembered() == nil)
        let first = try await loading.fresh()
        #expect(loading.remembered() == first)
        #expect(try await loading.fresh() == first)
        #expect(server.received.map { field(question, of: $0) } == [nil, version])
        // The whole of it was sent once.
        #expect(body.next() == 2)
    }

    @Test("what has changed takes the place of what was remembered")
    func changed() async throws {
        let folder = try TemporaryFolder()
        let count = RequestCount()
        let server = try LoopbackServer { _ in
            let number = count.next()
            return answer(
                "200 OK", ["ETag: \"\(number)\""], body: #"{"@type":"Product","name":"Lamp \#(number)"}"#)
        }
        let loading = try loading(server.url("/lamp"), folder)
        #expect(name(try await loading.fresh()) == "Lamp 1")
        #expect(name(try await loading.fresh()) == "Lamp 2")
        #expect(name(loading.remembered()) == "Lamp 2")
        #expect(server.received.map { field("If-None-Match", of: $0) } == [nil, "\"1\""])
    }

    @Test("one without a version is remembered all the same, and asked for as a whole")
    func withoutVersion() async throws {
        let folder = try TemporaryFolder()
        let page = answer("200 OK", body: product("Lamp"))
        let server = try LoopbackServer { _ in page }
        let loading = try loading(server.url("/lamp"), folder)
        _ = try await loading.fresh()
        #expect(name(loading.remembered()) == "Lamp")
        _ = try await loading.fresh()
        #expect(server.received.allSatisfy { !$0.contains("If-") })
    }

    @Test(
        "what the server forbids to remember is not, and what was there before goes",
        arguments: ["Cache-Control: no-store", "cache-control: private, No-Store=\"x\"", "Vary: *"])
    func forbidden(header: String) async throws {
        let folder = try TemporaryFolder()
        let (count, page) = (RequestCount(), product("Lamp"))
        let server = try LoopbackServer { _ in
            answer("200 OK", ["ETag: \"1\""] + (count.next() == 1 ? [] : [header]), body: page)
        }
        let loading = try loading(server.url("/lamp"), folder)
        _ = try await loading.fresh()
        #expect(name(loading.remembered()) == "Lamp")
        _ = try await loading.fresh()
        #expect(loading.remembered() == nil)
    }

    @Test("neither an error nor a page without a product takes the place of one that had one")
    func worse() async throws {
        let folder = try TemporaryFolder()
        let (count, page) = (RequestCount(), product("Lamp"))
        let server = try LoopbackServer { _ in
            switch count.next() {
            case 1: answer("200 OK", ["ETag: \"1\""], body: page)
            case 2: answer("200 OK", body: "<html>Come back later</html>")
            case 3: answer("503 Busy", body: page)
            default: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + page
            }
        }
        let loading = try loading(server.url("/lamp"), folder)
        let first = try await loading.fresh()
        for _ in 1...3 {
            await #expect(throws: PageError.self) { try await loading.fresh() }
            #expect(loading.remembered() == first)
        }
    }

    @Test(
        "a redirect for good is remembered, one for now is not; the version goes to the address it came from")
    func redirects() async throws {
        let folder = try TemporaryFolder()
        let page = answer("200 OK", ["ETag: \"1\""], body: product("Lamp"))
        let server = try LoopbackServer { path in
            switch path {
            case "/old": answer("301 Moved Permanently", ["Location: /older"])
            case "/older": answer("308 Permanent Redirect", ["Location: /lamp"])
            case "/today": answer("302 Found", ["Location: /lamp"])
            default: page
            }
        }
        let (old, today) = (
            try loading(server.url("/old"), folder), try loading(server.url("/today"), folder)
        )
        _ = try await today.fresh()
        #expect(today.remembered() == nil)
        _ = try await old.fresh()
        #expect(name(old.remembered()) == "Lamp")
        #expect(name(try loading(server.url("/lamp"), folder).remembered()) == "Lamp")
        let asked = server.received.map { "\(path(of: $0)) \(field("If-None-Match", of: $0) ?? "-")" }
        #expect(asked == ["/today -", "/lamp -", "/old -", "/older -", "/lamp \"1\""])
    }

    @Test("a memory that this program cannot read any more is forgotten, and the page loaded as a whole")
    func unreadable() async throws {
        let folder = try TemporaryFolder()
        let page = answer("200 OK", ["ETag: \"1\""], body: product("Lamp"))
        let server = try LoopbackServer.ofBytes { head in
            AnySequence([Array((head.contains("If-None-Match") ? answer("304 Not Modified") : page).utf8)])
        }
        let loading = try loading(server.url("/lamp"), folder)
        loading.loader.memory.remember(
            WebPage(url: server.url("/lamp"), body: Array("of old".utf8), entityTag: "\"1\""))
        #expect(loading.remembered() == nil)
        #expect(name(try await loading.fresh()) == "Lamp")
        #expect(server.received.count == 2)
        #expect(name(loading.remembered()) == "Lamp")
    }

    @Test("a file is not remembered")
    func files() async throws {
        let folder = try TemporaryFolder()
        try folder.write(product("Lamp"), to: "lamp.json")
        let loading = try loading(folder.file("lamp.json"), folder)
        #expect(name(try await loading.fresh()) == "Lamp")
        #expect(loading.remembered() == nil)
        #expect(try folder.names() == ["lamp.json"])
    }

    @Test("the encoding that the server names is remembered with the page")
    func charset() async throws {
        let folder = try TemporaryFolder()
        let head =
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json; charset=ISO-8859-15\r\n\r\n"
        let bytes = Array(head.utf8) + Array(#"{"@type":"Product","name":"5 "#.utf8) + [0xA4, 0x22, 0x7D]
        let server = try LoopbackServer.ofBytes { _ in AnySequence([bytes]) }
        let loading = try loading(server.url("/lamp"), folder)
        #expect(name(try await loading.fresh()) == "5 €")
        #expect(name(loading.remembered()) == "5 €")
    }
}
