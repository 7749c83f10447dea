import Foundation
import PromisedSystem
import Testing

@testable import ProductPage

/// Each fetch is a process of its own.
@Suite(.timeLimit(.minutes(10))) struct WebReadTests {
    private func load(_ url: String) async throws -> String {
        let source = WebSource(url: try #require(URL(string: url)), program: BuiltTool.path)
        return String(decoding: try await source.page().body, as: UTF8.self)
    }

    private func problem(_ url: String) async -> String {
        do {
            return "a body: \(try await load(url))"
        } catch {
            return "\(error)".replacing("http://127.0.0.1:", with: "").drop { $0.isNumber }.description
        }
    }

    @Test func aBodyIsReadAndTheRequestSaysWhatIsWanted() async throws {
        let server = try LoopbackServer { _ in answer("200 OK", body: "Té") }
        #expect(try await load(server.url("/a?b=c")) == "Té")
        let head = try #require(server.received.first)
        #expect(head.hasPrefix("GET /a?b=c HTTP/1.1\r\n"))
        #expect(head.contains("\r\nAccept: application/ld+json, application/json;q=0.9, text/html;q=0.8"))
        #expect(head.contains("\r\nUser-Agent: product-page/0.1.0\r\n"))
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

    @Test func whatComesBeforeTheAnswerIsNotTheAnswer() async throws {
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
        let server = try LoopbackServer { _ in hints + answer("200 OK", body: "x") }
        #expect(try await load(server.url("/a")) == "x")
    }

    @Test func redirectsAreFollowed() async throws {
        let server = try LoopbackServer { path in
            switch path {
            case "/a": answer("302 Found", ["Location: /b/c"])
            case "/b/c": answer("301 Moved Permanently", ["Location: d"])
            case "/b/d": answer("307 Temporary Redirect", ["Location: /e"])
            default: answer("200 OK", body: path)
            }
        }
        #expect(try await load(server.url("/a")) == "/e")
    }

    @Test func aCookieThatIsSetOnTheWayIsSentBack() async throws {
        let server = try LoopbackServer.ofBytes { head in
            let isKnown = head.contains("\r\nCookie: seen=1\r\n")
            let text =
                isKnown
                ? answer("200 OK", body: "in")
                : answer("302 Found", ["Set-Cookie: seen=1; Path=/", "Location: /a"])
            return AnySequence([Array(text.utf8)])
        }
        #expect(try await load(server.url("/a")) == "in")
    }

    @Test func redirectsHaveBounds() async throws {
        let server = try LoopbackServer { path in
            switch path {
            case "/file": answer("302 Found", ["Location: file:///etc/hostname"])
            case "/ftp": answer("302 Found", ["Location: ftp://127.0.0.1/x"])
            default: answer("302 Found", ["Location: \(path)x"])
            }
        }
        let error1 = await problem(server.url("/file"))
        #expect(error1 == "/file: redirects to a file: address, which is not followed")
        let error2 = await problem(server.url("/ftp"))
        #expect(error2 == "/ftp: redirects to a ftp: address, which is not followed")
        let error3 = await problem(server.url("/"))
        #expect(error3 == "/: redirects more than 10 times")
        let paths = server.received.map { $0.prefix { $0 != "\r" } }
        #expect(paths.count == 13)
    }

    @Test(arguments: [
        ("404 Nope", "404 Not Found"), ("500 Oops", "500 Internal Server Error"),
        ("503 x", "503 Service Unavailable"),
        ("304 x", "304 Not Modified"), ("599 x", "599 Server Error"),
    ])
    func errorsOfTheServerAreErrors(status: String, expected: String) async throws {
        let server = try LoopbackServer { _ in answer(status, body: "some page") }
        let error = await #expect(throws: PageError.self) { try await load(server.url("/x")) }
        #expect(error == .unavailable(source: server.url("/x"), reason: "answered \(expected)"))
    }

    @Test func connectionsThatBreakAreErrors() async throws {
        let server = try LoopbackServer { path in
            switch path {
            case "/part": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"
            case "/head": "HTTP/1.1 200 OK\r\nContent-Le"
            default: ""
            }
        }
        let closed = "the connection was closed before the answer was complete"
        let error4 = await problem(server.url("/part"))
        #expect(error4 == "/part: \(closed)")
        let error5 = await problem(server.url("/none"))
        #expect(error5 == "/none: the connection was closed without a proper answer")
        // Foundation on Linux stops the process that it happens to.
        let error6 = await problem(server.url("/head"))
        #expect(error6 == "/head: the connection was closed without a proper answer")
    }

    @Test func noServerIsAnError() async throws {
        // A port that was just given back.
        let address = try LoopbackServer { _ in nil }.url("/x")
        let error = await #expect(throws: PageError.self) { try await load(address) }
        #expect(error == .unavailable(source: address, reason: "connection refused, or no server there"))
    }

    @Test("an address of the newer protocol is asked, with a server there or not")
    func brackets() async {
        // No program may listen on the first port.
        let problem = await problem("http://[::1]:1/x")
        #expect(problem == "http://[::1]:1/x: connection refused, or no server there")
    }

    @Test(.timeLimit(.minutes(1))) func cancellingTheTaskEndsItAtOnce() async throws {
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
