import Foundation
import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct LimitedSourceTests {
    @Test("what the user should know is passed on in a form that no terminal obeys")
    func notices() throws {
        let (said, scheduler) = (Said(), TestScheduler())
        let catalogue = Catalogue(source: "a", products: [.a], notices: ["a\u{1B}[2J: is not valid", "b"])
        let source = LimitedSource(
            source: PromisedSource(promise: .value(catalogue)), limit: .seconds(1), name: "a",
            notice: said.notice)
        let result = source.catalogue().start(on: scheduler)
        scheduler.run()
        #expect(said.lines == ["a\u{FFFD}[2J: is not valid", "b"])
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
        #expect(
            throws: PageError.unavailable(source: "shop", reason: "no answer within \(text) s")
        ) { try result.result?.get() }
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
