import Foundation
import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage
@testable import ProductReading

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct LocationTests {
    private func described(_ text: String) -> String {
        do {
            return switch try SourceLocation(text) {
            case .file(let path): "file \(path)"
            case .standardInput: "input"
            case .web(let url): "web \(SourceLocation.web(url).name)"
            }
        } catch {
            return "\(error.exitCode)"
        }
    }

    @Test(
        "paths and addresses; what cannot be loaded is a usage error; a password is not shown",
        arguments: rows(
            """
            a.json => file a.json | ./- => file ./- | - => input | /x y/é.html => file /x y/é.html |  => 64
            C:name => file C:name | a:b.json => file a:b.json | file:///x%20y.json => file /x y.json | http:// => 64
            file:/x.json => file /x.json | FILE://localhost/x => file /x | http://example.com => web http://example.com
            https://example.com/a?b=c#d => web https://example.com/a?b=c#d | http: => 64 | https:///x => 64
            HTTP://127.0.0.1:8080/X => web http://127.0.0.1:8080/X | http:x => 64 | ftp://a/b => 64 | data://x => 64
            http://127.0.0.1:99999/ => 64 | http://a:65535/ => web http://a:65535/
            https://me:secret@example.com/x => web https://example.com/x | file://elsewhere/x => 64
            """))
    func locations(row: Row) { #expect(described(row.given) == row.expected) }

    @Test(
        "a redirect is found from where it stands, and leads neither out of the web nor out of protection",
        arguments: rows(
            """
            http://s.example/x/a b => http://s.example/x/b | https://s.example/x/a /b?c => https://s.example/b?c
            https://s.example/a //o.example/b => https://o.example/b
            http://s.example/a https://s.example/a => https://s.example/a
            https://s.example/ HTTPS://s.example/a => HTTPS://s.example/a
            https://s.example/ http://s.example/a => redirects from https to http, which is not followed
            https://s.example/ HTTP://s.example/a => redirects from https to http, which is not followed
            https://s.example/ file:///etc/passwd => redirects to a file: address, which is not followed
            https://s.example/ javascript:alert(1) => redirects to a javascript: address, which is not followed
            https://s.example/ https:///x => redirects to an address without a host
            https://s.example/ https://s.example:99999/ => redirects to something that is no address
            """))
    func redirects(row: Row) throws {
        let parts = row.given.split(separator: " ").map(String.init)
        let url = try #require(URL(string: parts[0]))
        let target = Result { () throws(PageError) in try Fetch.target(of: parts[1], from: url) }
        switch target {
        case .success(let url): #expect(url.absoluteString == row.expected)
        case .failure(let error): #expect(error.reason == row.expected)
        }
    }

    @Test("what the user should know is passed on in a form that no terminal obeys")
    func notices() throws {
        let (log, scheduler) = (LineLog(), TestScheduler())
        let catalogue = Catalogue(source: "a", products: [.a], notices: ["a\u{1B}[2J: is not valid", "b"])
        let source = LimitedSource(
            source: PromisedSource(promise: .value(catalogue)), limit: .seconds(1), name: "a",
            notice: log.notice)
        let result = source.catalogue().start(on: scheduler)
        scheduler.run()
        #expect(log.lines == ["a\u{FFFD}[2J: is not valid", "b"])
        #expect(try result.result?.get() == catalogue)
    }

    @Test(
        "a limit that is passed is said in seconds, to the hundredth",
        arguments: [(30_000, "30"), (100, "0.1"), (1_250, "1.25"), (12_345, "12.35")])
    func limit(milliseconds: Int, text: String) {
        let scheduler = TestScheduler()
        let (never, resolver) = Promise<Catalogue>.pending()
        let source = LimitedSource(
            source: PromisedSource(promise: never), limit: .milliseconds(milliseconds), name: "shop",
            notice: { _ in })
        let result = source.catalogue().start(on: scheduler)
        scheduler.advance(by: .milliseconds(milliseconds - 1))
        #expect(result.result == nil && !resolver.isCancelled)
        scheduler.advance(by: .milliseconds(1))
        let expected = PageError.unavailable(source: "shop", reason: "no answer within \(text) s")
        #expect(throws: expected) { try result.result?.get() }
        #expect(resolver.isCancelled)
    }

    @Test(
        "why a request got no answer, or only the beginning of one",
        arguments: [
            (.networkConnectionLost, true, "the connection was closed before the answer was complete"),
            (.networkConnectionLost, false, "the connection was closed without an answer"),
            (.unknown, true, "the connection was closed before the answer was complete"),
            (.cannotFindHost, false, "no such host"), (.timedOut, false, "no answer in time"),
            (.notConnectedToInternet, false, "no connection to the network"),
            (.cannotParseResponse, true, "the answer is not proper HTTP"),
            (.serverCertificateUntrusted, false, "the server's certificate cannot be trusted"),
        ] as [(URLError.Code, Bool, String)])
    func reasons(code: URLError.Code, hasBegun: Bool, words: String) {
        #expect(NetworkReason.words(for: URLError(code), hasBegun: hasBegun) == words)
    }
}
