import Foundation
import PromisedSources
import PromisedTesting
import Testing

@testable import QuotePage

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The quote screen in virtual time.
@Suite struct QuotePageTests {
    private struct Failure: Error, CustomStringConvertible { let description: String }

    /// Answers with quotes 1, 2, …, but fails for the requests whose numbers are given.
    private struct Server: DataLoader {
        let failing: Set<Int>
        let count = Threadsafe(wrappedValue: 0)

        func load(
            _ request: URLRequest, report: @escaping @Sendable (FetchProgress) -> Void
        ) -> Promise<LoadedData> {
            Promise<LoadedData> { resolver in
                count.wrappedValue += 1
                let number = count.wrappedValue
                if failing.contains(number) { throw Failure(description: "no answer to request \(number)") }
                let quote = Quote(quote: "quote \(number)", author: "Ada")
                resolver.fulfill(LoadedData(try JSONEncoder().encode(quote)))
            }.delay(.milliseconds(100))
        }
    }

    private let scheduler = TestScheduler()
    private func quotes(failing: Set<Int> = []) -> Source<QuoteModel> {
        .quotes(
            from: URLRequest(url: URL(filePath: "/")), by: Server(failing: failing), on: scheduler)
    }

    @Test("the first quote is fetched by itself, and another one with each call of next")
    func next() {
        let source = quotes()
        let token = source.subscribe { _ in }
        #expect(source.value.isLoading)
        #expect(source.value.next == nil)
        scheduler.advance(by: .milliseconds(100))
        #expect(source.value.quote?.quote == "quote 1")
        source.value.next?()
        scheduler.advance(by: .zero)
        // The first stays meanwhile, and the action is gone.
        #expect(source.value.quote?.quote == "quote 1")
        #expect(source.value.isLoading)
        #expect(source.value.next == nil)
        scheduler.advance(by: .milliseconds(100))
        #expect(source.value.quote?.quote == "quote 2")
        withExtendedLifetime(token) {}
    }

    @Test("a failure is tried again after a second, twice, and then shown with a way on")
    func failures() {
        let source = quotes(failing: [1, 2, 3])
        let token = source.subscribe { _ in }
        scheduler.advance(by: .seconds(2) + .milliseconds(299))
        #expect(source.value.problem == nil)
        scheduler.advance(by: .milliseconds(1))
        #expect(source.value.problem == "no answer to request 3")
        source.value.next?()
        scheduler.advance(by: .milliseconds(100))
        #expect(source.value.quote?.quote == "quote 4")
        #expect(source.value.problem == nil)
        withExtendedLifetime(token) {}
    }

    @Test("a quote stays when the next one fails")
    func kept() {
        let source = quotes(failing: [2, 3, 4])
        let token = source.subscribe { _ in }
        scheduler.advance(by: .milliseconds(100))
        source.value.next?()
        scheduler.advance(by: .seconds(3))
        #expect(source.value.quote?.quote == "quote 1")
        #expect(source.value.problem == "no answer to request 4")
        withExtendedLifetime(token) {}
    }

    @Test("the screen draws a quote, a problem, and what can be done")
    func drawing() {
        var lines: [String] = []
        let screen = QuoteScreen(source: .constant(QuoteModel())) { lines.append($0) }
        screen.draw(QuoteModel(quote: Quote(quote: "Less is more.", author: "R. B."), next: .doNothing))
        screen.draw(QuoteModel(problem: "offline"))
        #expect(
            lines == [
                "\"Less is more.\"\n    — R. B.", "[Enter] another quote   [q] quit", "Sorry: offline", "",
            ])
    }

    @Test("the program shows the bundled quotes, one after the other, until the user quits")
    func program() async {
        let source = Source<QuoteModel>.quotes(
            from: URLRequest(url: URL(filePath: "/")), by: BundledQuotes(), on: .immediate)
        let token = source.subscribe { _ in }
        var text = ""
        let screen = QuoteScreen(source: source) { text += $0 + "\n" }
        await screen.drawWhenLoaded()
        for line in ["", "", ""] { #expect(await screen.receive(line)) }
        #expect(await !screen.receive("q"))
        let authors = text.matches(of: /— (.*)/).map { String($0.1) }
        #expect(
            authors == ["Robert Browning", "William Shakespeare", "Alfred Korzybski", "Robert Browning"])
        withExtendedLifetime(token) {}
    }
}
