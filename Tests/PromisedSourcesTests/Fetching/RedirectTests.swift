import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What one server is given, another one is not.
@Suite(.tags(.sharedState), .ownThreads) struct RedirectTests {
    static let secrets = ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key", "If-None-Match"]

    private func request(_ server: LoopbackServer, _ path: String) -> URLRequest {
        var request = server.request(path)
        for name in Self.secrets { request.setValue("secret", forHTTPHeaderField: name) }
        return request
    }

    @Test(
        "SA-52: on a redirect to another port or host the header of the request's own is dropped, and stays dropped",
        arguments: LoaderKind.allCases, [301, 302, 303, 307, 308])
    func otherServer(_ kind: LoaderKind, _ status: Int) async throws {
        let second = LoopbackServer.misbehaving()
        let address = Threadsafe(wrappedValue: "http://127.0.0.1:\(second.port)/ok")
        let first = LoopbackServer.redirecting(status) { address.wrappedValue }
        _ = try await kind.make().load(request(first, "/from")) { _ in }.value
        #expect(first.requests.wrappedValue.first?.components(separatedBy: "secret").count == 6)
        let head = try #require(second.requests.wrappedValue.first)
        #expect(!head.contains("secret"), "\(head)")
        // Another name of the same machine.
        address.wrappedValue = "http://localhost:\(first.port)/there"
        _ = try await kind.make().load(request(first, "/from")) { _ in }.value
        let heads = first.requests.wrappedValue
        #expect(heads.last?.contains("/there") == true && heads.last?.contains("secret") == false)
        // By way of another server, back to the first one.
        let third = LoopbackServer.redirecting(status) { "http://127.0.0.1:\(first.port)/back" }
        address.wrappedValue = "http://127.0.0.1:\(third.port)/from"
        _ = try await kind.make().load(request(first, "/from")) { _ in }.value
        #expect(first.requests.wrappedValue.last?.contains("/back") == true)
        #expect(first.requests.wrappedValue.last?.contains("secret") == false)
    }

    @Test("SA-52: on a redirect within one server the header stays", arguments: LoaderKind.allCases)
    func sameServer(_ kind: LoaderKind) async throws {
        let server = LoopbackServer.redirecting(302) { "/there" }
        _ = try await kind.make().load(request(server, "/from")) { _ in }.value
        let heads = server.requests.wrappedValue
        #expect(heads.count == 2)
        #expect(heads.allSatisfy { $0.components(separatedBy: "secret").count == Self.secrets.count + 1 })
    }

    @Test(
        "SA-52: what counts as another server",
        arguments: [
            ("http://a/1", "http://a/2", true), ("http://a/", "http://A:80/", true),
            ("http://a/", "HTTP://a/", true),
            ("https://a/", "https://a:443/", true), ("http://a/", "https://a/", false),
            ("https://a/", "http://a/", false), ("http://a/", "http://b/", false),
            ("http://a/", "http://a:8080/", false), ("http://a:443/", "https://a/", false),
            ("http://a/", "http://a.b/", false),
        ])
    func origins(_ from: String, _ to: String, _ isSame: Bool) throws {
        var request = URLRequest(url: try #require(URL(string: to)))
        for name in Self.secrets + ["Content-Type"] { request.setValue("secret", forHTTPHeaderField: name) }
        let url = try #require(URL(string: from))
        let count = request.redirected(from: url).allHTTPHeaderFields?.count ?? 0
        #expect(count == (isSame ? Self.secrets.count + 1 : 0))
        // A body that is sent on keeps its type.
        request.httpMethod = "POST"
        request.httpBody = Data("{}".utf8)
        let sentOn = request.redirected(from: url).allHTTPHeaderFields ?? [:]
        #expect(isSame || Array(sentOn.keys) == ["Content-Type"])
    }

    @Test(
        "SA-52: a condition of the request's own is not overwritten by a validator",
        arguments: ["ETag", "Last-Modified"])
    func ownCondition(_ validator: String) {
        let (scheduler, loader) = (TestScheduler(), FakeLoader())
        var request = URLRequest(url: URL(filePath: "/quote"))
        let condition = validator == "ETag" ? "If-None-Match" : "If-Modified-Since"
        request.setValue("mine", forHTTPHeaderField: condition.lowercased())
        let source = loader.source(for: request, on: scheduler)
        _ = source.value
        scheduler.advance()
        loader.server.answer(LoadedData(Data("1".utf8), headers: [validator: "theirs"]), on: scheduler)
        source.value.fetched?.refresh?()
        scheduler.advance()
        #expect(loader.requests.values.map { $0.value(forHTTPHeaderField: condition) } == ["mine", "mine"])
    }

    @Test(
        "SA-52: how long to wait until an instant, in each format of HTTP, also without a date of the answer")
    func retryAt() throws {
        func wait(_ text: String, _ date: String? = nil) -> Duration? {
            var headers = ["Retry-After": text]
            headers["Date"] = date
            return HTTPFailure(LoadedData(Data(), status: 503, headers: headers)).retryAfter
        }
        let now = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(wait("Sun, 06 Nov 1994 08:50:37 GMT", now) == .seconds(60))
        #expect(wait("Sunday, 06-Nov-94 08:50:37 GMT", now) == .seconds(60))
        #expect(wait("Sun Nov  6 08:50:37 1994", now) == .seconds(60))
        #expect(wait("Sun, 06 Nov 1994 08:50:37 GMT") == .zero)
        let future = try #require(wait("Fri, 01 Jan 2100 00:00:00 GMT"))
        #expect(future > .seconds(86_400 * 365))
        for text in ["", "-1", "1.5", "Sun, 06 Nov", "06 Nov 1994", "0x10"] {
            #expect(wait(text, now) == nil, "\(text)")
        }
        // More than a number can be, and years beyond counting.
        #expect(wait("99999999999999999999999") == .seconds(Int.max))
        for year in ["99999", "999999999", "9999999999999999999"] {
            _ = wait("Sun, 06 Nov \(year) 08:49:37 GMT", now)
        }
    }
}
