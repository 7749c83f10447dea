import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What is sent on after a redirect, and what a session's configuration adds.
@Suite(.tags(.sharedState), .ownThreads) struct RedirectedRequestTests {
    @Test(
        "SA-52: what the configuration of a session adds is not given to another server, and stays with its own",
        arguments: [301, 302, 303, 307, 308])
    func configuration(_ status: Int) async throws {
        let second = LoopbackServer.misbehaving()
        let address = Threadsafe(wrappedValue: "http://127.0.0.1:\(second.port)/ok")
        let first = LoopbackServer.redirecting(status) { address.wrappedValue }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["Authorization": "secret", "X-Api-Key": "secret"]
        let loader = URLSessionLoader(configuration: configuration)
        // The configuration is that of the caller.
        #expect(configuration.httpAdditionalHeaders?.count == 2)
        var request = first.request("/from")
        request.setValue("mine", forHTTPHeaderField: "x-api-key")
        _ = try await loader.load(request) { _ in }.value
        let head = try #require(first.requests.wrappedValue.first)
        #expect(head.components(separatedBy: "secret").count == 2 && head.contains("mine"), "\(head)")
        let other = try #require(second.requests.wrappedValue.first)
        #expect(!other.contains("secret") && !other.contains("mine"), "\(other)")
        address.wrappedValue = "/there"
        _ = try await loader.load(request) { _ in }.value
        let last = try #require(first.requests.wrappedValue.last)
        #expect(last.contains("/there") && last.contains("secret") && last.contains("mine"), "\(last)")
    }

    @Test(
        "SA-52: a redirect that keeps the method sends the body again, with its type",
        arguments: LoaderKind.allCases, [(301, "PUT"), (302, "PATCH"), (307, "POST"), (308, "PUT")])
    func body(_ kind: LoaderKind, _ redirect: (status: Int, method: String)) async throws {
        let second = LoopbackServer.misbehaving()
        for address in ["http://127.0.0.1:\(second.port)/ok", "/ok"] {
            let first = LoopbackServer.redirecting(redirect.status) { address }
            var request = first.request("/from")
            request.httpMethod = redirect.method
            request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data("whole body".utf8)
            _ = try await kind.make().load(request) { _ in }.value
            let server = address == "/ok" ? first : second
            let text = try #require(server.requests.wrappedValue.last)
            #expect(text.hasPrefix("\(redirect.method) /ok") && text.hasSuffix("whole body"), "\(text)")
            #expect(text.contains("text/plain"))
        }
    }

    @Test(
        "SA-52: of a redirect to another address, 303 makes GET of all but HEAD",
        arguments: LoaderKind.allCases, ["GET", "HEAD", "PUT", "DELETE"])
    func seeOther(_ kind: LoaderKind, _ method: String) async throws {
        let server = LoopbackServer.redirecting(303) { "/ok" }
        var request = server.request("/from")
        request.httpMethod = method
        _ = try await kind.make().load(request) { _ in }.value
        let line = method == "HEAD" ? "HEAD /ok" : "GET /ok"
        #expect(server.requests.wrappedValue.last?.hasPrefix(line) == true)
    }

    @Test(
        "SA-52: a redirect to what is no web server is an error",
        arguments: LoaderKind.allCases, ["ftp://127.0.0.1/", "file:///etc/hostname", "data:,x", "mailto:x@y"])
    func otherSchemes(_ kind: LoaderKind, _ address: String) async {
        let server = LoopbackServer.redirecting(302) { address }
        let error = await #expect(throws: URLError.self) {
            try await kind.make().load(server.request("/from")) { _ in }.value
        }
        #expect(error?.code == .unsupportedURL && server.requests.wrappedValue.count == 1)
    }

    @Test("SA-52: redirects without end are an error", arguments: LoaderKind.allCases)
    func endless(_ kind: LoaderKind) async {
        let server = LoopbackServer.redirecting(302) { "/from" }
        let error = await #expect(throws: URLError.self) {
            try await kind.make().load(server.request("/from")) { _ in }.value
        }
        #expect(error?.code == .httpTooManyRedirects && server.requests.wrappedValue.count == 21)
    }

    @Test("SA-52: a body that is a stream can't be sent again", arguments: [301, 303, 307])
    func stream(_ status: Int) throws {
        var request = URLRequest(url: try #require(URL(string: "http://a/")))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data("x".utf8))
        let answer = LoadedData(Data(), status: status, headers: ["Location": "/b"])
        guard status == 307 else {
            let next = try #require(try request.redirected(by: answer))
            #expect(next.httpMethod == "GET" && next.httpBodyStream == nil)
            return
        }
        let error = #expect(throws: URLError.self) { try request.redirected(by: answer) }
        #expect(error?.code == .requestBodyStreamExhausted)
    }

    @Test("SA-52: the validator of an answer from another address is not sent", arguments: [nil, "/a", "/b"])
    func validator(_ path: String?) throws {
        let (scheduler, loader) = (TestScheduler(), FakeLoader())
        let source = loader.source(for: URLRequest(url: URL(filePath: "/a")), on: scheduler)
        _ = source.value
        scheduler.advance()
        var answer = LoadedData(Data("1".utf8), headers: ["ETag": "tag", "Last-Modified": "then"])
        if let path { answer = answer.from(URLRequest(url: URL(filePath: path))) }
        loader.server.answer(answer, on: scheduler)
        source.value.fetched?.refresh?()
        scheduler.advance()
        let request = try #require(loader.requests.values.last)
        #expect(request.value(forHTTPHeaderField: "If-None-Match") == (path == "/b" ? nil : "tag"))
        #expect(request.value(forHTTPHeaderField: "If-Modified-Since") == (path == "/b" ? nil : "then"))
    }

    @Test("SA-52: an answer knows the address behind all redirects", arguments: LoaderKind.allCases)
    func address(_ kind: LoaderKind) async throws {
        let second = LoopbackServer.misbehaving()
        let first = LoopbackServer.redirecting(302) { "http://127.0.0.1:\(second.port)/ok" }
        let answer = try await kind.make().load(first.request("/from")) { _ in }.value
        #expect(answer.address?.absoluteString == "http://127.0.0.1:\(second.port)/ok")
        let other = try await kind.make().load(first.request("/there")) { _ in }.value
        #expect(other.address == first.request("/there").url)
    }
}
