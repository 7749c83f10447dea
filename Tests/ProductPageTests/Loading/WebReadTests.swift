import Foundation
import PromisedSystem
import TestSupport
import Testing
import ToolSupport

@testable import ProductPage
@testable import ProductReading

/// Each fetch is a process of its own.
@Suite(.timeLimit(.minutes(10)), .tags(.noSharedState)) struct WebReadTests {
    private func load(_ url: String) async throws -> String {
        let source = WebSource(url: try #require(URL(string: url)), program: BuiltTool.path)
        return String(decoding: try await source.page().body, as: UTF8.self)
    }

    @Test func theRequestSaysWhatIsWanted() async throws {
        let server = try LoopbackServer { _ in answer("200 OK", body: "Té") }
        #expect(try await load(server.url("/a?b=c")) == "Té")
        let head = try #require(server.received.first)
        #expect(head.hasPrefix("GET /a?b=c HTTP/1.1\r\n"))
        #expect(head.contains("\r\nAccept: application/ld+json, application/json;q=0.9, text/html;q=0.8"))
        #expect(head.contains("\r\nUser-Agent: product-page/\(Version.current)\r\n"))
    }

    @Test func theAnswerSaysHowItsBytesSpellText() async throws {
        let body = Array(#"{"@type":"Product","name":"T"#.utf8) + [0xE9] + Array(#""}"#.utf8)
        let head = answer("200 OK", ["Content-Type: application/json; charset=iso-8859-1"])
            .replacing("Content-Length: 0", with: "Content-Length: \(body.count)")
        let server = try LoopbackServer.ofBytes { _ in AnySequence([Array(head.utf8) + body]) }
        let url = try #require(URL(string: server.url("/x")))
        let catalogue = try await WebSource(url: url, program: BuiltTool.path).catalogue().value
        #expect(catalogue.products.map(\.name) == ["Té"])
        #expect(catalogue.notices == [])
    }

    @Test func aCookieThatIsSetOnTheWayIsSentBack() async throws {
        let server = try LoopbackServer.ofBytes { head in
            let isKnown = head.contains("\r\nCookie: seen=1\r\n")
            let way = answer("302 Found", ["Set-Cookie: seen=1; Path=/", "Location: /a"])
            return AnySequence([Array((isKnown ? answer("200 OK", body: "in") : way).utf8)])
        }
        #expect(try await load(server.url("/a")) == "in")
    }

    @Test(
        "a page that comes in many small chunks is a page; relative addresses are those of the end of the way"
    )
    func chunks() async throws {
        let node = #"{"@type":"Product","name":"Tea","url":"../tea"}"#
        let body = Array((node + String(repeating: " ", count: 217_000)).utf8)
        let chunks = stride(from: 0, to: body.count, by: 40).map { start in
            let piece = body[start..<min(start + 40, body.count)]
            return Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
        }
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        let whole = Array(head.utf8) + chunks.joined() + Array("0\r\n\r\n".utf8)
        let server = try LoopbackServer.ofBytes { head in
            let isEnd = path(of: head) == "/a/b/c"
            return AnySequence([isEnd ? whole : Array(answer("302 Found", ["Location: /a/b/c"]).utf8)])
        }
        let url = try #require(URL(string: server.url("/x")))
        let found = try await WebSource(url: url, program: BuiltTool.path).catalogue().value.products
        #expect(found.map(\.url) == [server.url("/a/tea")])
    }

    @Test("an answer that says when to ask again")
    func retryAfter() async throws {
        let server = try LoopbackServer { _ in answer("503 Busy", ["Retry-After: 120"]) }
        let error = await #expect(throws: PageError.self) { try await load(server.url("/x")) }
        let reason = "answered 503 Service Unavailable"
        #expect(
            error
                == .unavailable(source: server.url("/x"), reason: reason, retryAfter: .seconds(120)))
    }

    @Test(
        "Retry-After is a number of seconds or a date, up to a day",
        arguments: rows(
            """
            120 => 120 |  5  => 5 | 0 => 0 | 86401 => 86400 | 99999999999999999999999 => 86400 | -5 => none
            soon => none |   => none | 1.5 => none | ٣ => none | Thu, 01 Jan 1970 00:02:00 GMT => 120
            Wed, 31 Dec 1969 23:00:00 GMT => 0 | Thursday, 01-Jan-70 00:00:30 GMT => 30 | Thu Jan  1 00:01:00 1970 => 60
            Fri, 31 Dec 9999 23:59:59 GMT => 86400 | Thu, 01 Jan 1970 => none
            """))
    func pauses(row: Row) {
        let seconds = RetryAfter.seconds(row.given, at: Date(timeIntervalSince1970: 0))
        #expect(seconds.map { "\($0)" } ?? "none" == row.expected)
    }

    @Test(
        "answers: what comes before one, redirects with their bounds, errors, and connections that break",
        arguments: rows(
            """
            early => x | a => x | file => redirects to a file: address, which is not followed
            ftp => redirects to a ftp: address, which is not followed | loop => redirects more than 10 times
            ten-1 => x | 302 => answered 302 Found | 304 => answered 304 Not Modified | 404 => answered 404 Not Found | 599 => answered 599 Server Error
            part => the connection was closed before the answer was complete
            none => the connection was closed without a proper answer
            half-head => the connection was closed without a proper answer
            """))
    func answers(row: Row) async throws {
        let server = try LoopbackServer { path in
            switch path.dropFirst() {
            case "early": "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n" + answer("200 OK", body: "x")
            case "a": answer("302 Found", ["Location: /b/c"])
            case "b/c": answer("301 Moved Permanently", ["Location: d"])
            case "b/d": answer("307 Temporary Redirect", ["Location: /e"])
            case "e": answer("200 OK", body: "x")
            case "file": answer("302 Found", ["Location: file:///etc/hostname"])
            case "ftp": answer("302 Found", ["Location: ftp://127.0.0.1/x"])
            case "ten-10": answer("302 Found", ["Location: /e"])
            case let step where step.hasPrefix("ten-"):
                answer("302 Found", ["Location: /ten-\((Int(step.dropFirst(4)) ?? 0) + 1)"])
            case "loop": answer("302 Found", ["Location: /loop"])
            case "part": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"
            case "none": ""
            // Foundation on Linux stops the process that it happens to.
            case "half-head": "HTTP/1.1 200 OK\r\nContent-Le"
            default: answer("\(path.dropFirst()) x", body: "some page")
            }
        }
        let url = server.url("/" + row.given)
        do {
            #expect(try await load(url) == row.expected)
        } catch {
            #expect(error as? PageError == .unavailable(source: url, reason: row.expected))
        }
    }

    @Test("a port without a server, and an address of the newer protocol")
    func refused() async throws {
        // A port that was just given back; and no program may listen on the first one.
        for url in [try LoopbackServer { _ in nil }.url("/x"), "http://[::1]:1/x"] {
            let error = await #expect(throws: PageError.self) { try await load(url) }
            #expect(error == .unavailable(source: url, reason: "connection refused, or no server there"))
        }
    }

    @Test func cancellingTheTaskEndsItAtOnce() async throws {
        let (asked, asking) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer { _ in
            asking.yield()
            return nil
        }
        let address = server.url("/x")
        let task = Task { try await load(address) }
        for await _ in asked { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.left.promise.value

        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await load(address)
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(server.received.count == 1)
    }
}
