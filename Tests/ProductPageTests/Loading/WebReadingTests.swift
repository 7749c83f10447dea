import Foundation
import Testing

@testable import ProductPage

@Suite struct WebReadingTests {
    private func load(
        _ url: String, timeout: Duration = .seconds(300), limit: Int = SourceLoader.maximumBytes
    ) async throws -> String {
        let bytes = try await WebReading.bytes(
            at: #require(URL(string: url)), timeout: timeout, limit: limit)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func problem(_ url: String, timeout: Duration = .seconds(300), limit: Int = 1000) async -> String
    {
        do {
            return "a body: \(try await load(url, timeout: timeout, limit: limit))"
        } catch {
            return "\(error)".replacing("http://127.0.0.1:", with: "").drop { $0.isNumber }.description
        }
    }

    @Test func aBodyIsReadAndTheRequestSaysWhatIsWanted() async throws {
        let server = try LoopbackServer { _ in answer("200 OK", body: "Té") }
        #expect(try await load(server.url("/a?b=c")) == "Té")
        let head = try #require(server.received.first)
        #expect(head.hasPrefix("GET /a?b=c HTTP/1.1\r\n"))
        #expect(head.contains("Accept: application/ld+json, application/json;q=0.9, text/html;q=0.8"))
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
        ("304 x", "304 Not Modified"), ("599 x", "status 599"),
    ])
    func errorsOfTheServerAreErrors(status: String, expected: String) async throws {
        let server = try LoopbackServer { _ in answer(status, body: "some page") }
        let error = await #expect(throws: PageError.self) { try await load(server.url("/x")) }
        #expect(error == .unavailable(source: server.url("/x"), reason: "answered \(expected)"))
    }

    @Test func connectionsThatBreakAreErrors() async throws {
        let server = try LoopbackServer { path in
            path == "/part" ? "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf" : ""
        }
        let closed = "the connection was closed before the answer was complete"
        let error4 = await problem(server.url("/part"))
        #expect(error4 == "/part: \(closed)")
        let error5 = await problem(server.url("/none"))
        #expect(error5 == "/none: the connection was closed without a proper answer")
    }

    @Test func nobodyThereIsAnError() async throws {
        // A port that was just given back.
        let address = try LoopbackServer { _ in nil }.url("/x")
        let error = await #expect(throws: PageError.self) { try await load(address) }
        #expect(error == .unavailable(source: address, reason: "connection refused, or nobody there"))
    }

    @Test func aSilentServerIsGivenUp() async throws {
        let server = try LoopbackServer { path in
            path == "/slow" ? "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab" : nil
        }
        let error6 = await problem(server.url("/x"), timeout: .milliseconds(150))
        #expect(error6 == "/x: no answer within 0.15 s")
    }

    @Test func bodiesAreBounded() async throws {
        let server = try LoopbackServer { path in
            path == "/announced"
                ? answer("200 OK", body: String(repeating: "x", count: 1001))
                : "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + String(repeating: "x", count: 1001)
        }
        let error7 = await problem(server.url("/announced"))
        #expect(error7 == "/announced: is larger than 0 MiB")
        let error8 = await problem(server.url("/endless"))
        #expect(error8 == "/endless: is larger than 0 MiB")
        #expect(try await load(server.url("/endless"), limit: 1001).count == 1001)
    }

    @Test func cancellingTheTaskEndsItAtOnce() async throws {
        let server = try LoopbackServer { _ in nil }
        let address = server.url("/x")
        let task = Task { try await load(address) }
        while server.received.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }

        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await load(address)
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(server.received.count == 1)
    }

    @Test func aLoaderSendsEachLocationToItsReader() async throws {
        let loader = SourceLoader(
            file: { Array("file \($0)".utf8) }, web: { url, timeout in Array("web \(url) \(timeout)".utf8) })
        func load(_ text: String) async throws -> String {
            String(
                decoding: try await loader.bytes(of: SourceLocation(text), timeout: .seconds(3)),
                as: UTF8.self)
        }
        #expect(try await load("a.json") == "file a.json")
        #expect(try await load("http://x/y") == "web http://x/y 3.0 seconds")
    }
}
