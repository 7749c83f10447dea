import Foundation
import Promise
import PromisedSources
import PromisedTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers requests when the test says so.
struct FakeLoader: DataLoader {
    let server = FakeServer<LoadedData>()
    let requests = Seen<URLRequest>()
    let report = Threadsafe<(@Sendable (FetchProgress) -> Void)?>(wrappedValue: nil)

    func load(
        _ request: URLRequest, report: @escaping @Sendable (FetchProgress) -> Void
    ) -> Promise<LoadedData> {
        requests.add(request)
        self.report.wrappedValue = report
        return server.get()
    }
}

@Suite(.tags(.sharedState)) struct FetchSourceTests {
    let scheduler = TestScheduler()
    let loader = FakeLoader()

    private var source: Source<Fetchable<Data>> {
        loader.source(for: URLRequest(url: URL(filePath: "/quote")), on: scheduler)
    }

    @Test(
        "SA-52: a status of 500 is a failure, and so is one of 429, with its figures; a retry goes back to fetching"
    )
    func statuses() {
        let source = source
        #expect(loader.requests.values.isEmpty)
        let (seen, token) = texts(source)
        scheduler.advance()
        loader.server.answer(LoadedData(Data(), status: 500), on: scheduler)
        #expect(source.value.failure?.error as? HTTPFailure == HTTPFailure(status: 500))
        source.value.failure?.retry?()
        scheduler.advance()
        #expect(source.value.fetching != nil)
        loader.server.answer(LoadedData(Data(), status: 429, headers: ["retry-after": "7"]), on: scheduler)
        source.value.failure?.retry?()
        scheduler.advance()
        loader.server.fail("offline", on: scheduler)
        #expect(
            seen.values == [
                "…", "HTTP status 500 !1", "…", "HTTP status 429, retry after 7.0 seconds !2", "…",
                "offline !3",
            ])
        token.cancel()
    }

    @Test("SA-52: to refresh twice is one request, which keeps the value; the value is kept if it fails")
    func refreshing() {
        let source = source
        _ = source.value
        scheduler.advance()
        loader.server.answer(LoadedData(Data("1".utf8)), on: scheduler)
        let refresh = source.value.fetched?.refresh
        refresh?()
        refresh?()
        scheduler.advance()
        refresh?()
        scheduler.advance()
        #expect(loader.server.requests.wrappedValue == 2 && loader.server.inFlight == 1)
        #expect(source.value.fetched?.value == Data("1".utf8) && source.value.fetched?.isRefreshing == true)
        loader.server.answer(LoadedData(Data(), status: 404), on: scheduler)
        #expect(source.value.text == "1 bytes HTTP status 404 !1")
        scheduler.advance(by: .seconds(60))
        #expect(loader.server.requests.wrappedValue == 2)
    }

    @Test("SA-52: a refresh sends the validators of the answer, and one that has not changed keeps its data")
    func validators() {
        let source = source
        _ = source.value
        scheduler.advance()
        let headers = ["etag": "\"1\"", "Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT"]
        loader.server.answer(LoadedData(Data("1".utf8), headers: headers), on: scheduler)
        source.value.fetched?.refresh?()
        scheduler.advance()
        #expect(loader.requests.values[0].value(forHTTPHeaderField: "If-None-Match") == nil)
        #expect(loader.requests.values[1].value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
        #expect(
            loader.requests.values[1].value(forHTTPHeaderField: "If-Modified-Since")
                == "Wed, 21 Oct 2015 07:28:00 GMT")
        loader.server.answer(LoadedData(Data(), status: 304), on: scheduler)
        #expect(source.value == .fetched(.init(Data("1".utf8))))
    }

    @Test("SA-52: how long to wait, in seconds or as an instant")
    func retryAfter() {
        func wait(_ text: String, date: String? = nil) -> Duration? {
            HTTPFailure(
                LoadedData(
                    Data(), status: 503,
                    headers: ["Retry-After": text, "Date": date ?? "Wed, 21 Oct 2015 07:28:00 GMT"])
            ).retryAfter
        }
        #expect(
            wait("0") == .zero && wait(" 90 ") == .seconds(90) && wait("-1") == nil && wait("soon") == nil)
        #expect(wait("Wed, 21 Oct 2015 07:30:00 GMT") == .seconds(120))
        #expect(wait("Wed, 21 Oct 2015 07:00:00 GMT") == .zero)
        #expect(wait("Wed, 21 Oct 2015 07:30:00 GMT", date: "now") == nil)
    }

    @Test(
        "SA-36, SA-52: progress is shown while the first value is fetched; the request ends with the source")
    func progress() {
        var source: Source? = source
        let seen = Seen<String>()
        let token = source?.subscribe { seen.add($0.text) }
        scheduler.advance()
        loader.report.wrappedValue?(FetchProgress(completed: 5, total: 10))
        scheduler.advance()
        #expect(seen.values == ["…", "…5"])
        source = nil
        #expect(loader.server.cancelled.wrappedValue == 1)
        loader.report.wrappedValue?(FetchProgress(completed: 6, total: 10))
        scheduler.advance()
        #expect(seen.values.count == 2)
        withExtendedLifetime(token) {}
    }

    @Test("an answer that comes at once on another thread is not lost")
    func atOnce() async {
        let scheduler = QueueScheduler.serial("fetches")
        for number in 1...1_000 {
            let source = Source<Fetchable<Int>>.fetching(on: scheduler) { .value(number) }
            for await model in source.values where model.fetched != nil { break }
            #expect(source.value.fetched?.value == number)
        }
    }

    @Test("a whole screen in one expression")
    func expression() {
        struct Quote: Codable, Equatable { var text: String }
        let source = source.jsonDecoded(as: Quote.self)
            .retrying(.interval(.seconds(1)), forwardErrorAfter: .attempts(2), on: scheduler)
            .refreshing(every: .seconds(60), on: scheduler)
            .mapFetchedValue { $0.text }
        let (seen, token) = texts(source)
        scheduler.advance()
        loader.server.answer(LoadedData(Data("no".utf8)), on: scheduler)
        scheduler.advance(by: .seconds(1))
        loader.server.fail(on: scheduler)
        scheduler.advance(by: .seconds(1))
        loader.server.answer(LoadedData(Data(#"{"text": "Less"}"#.utf8)), on: scheduler)
        scheduler.advance(by: .seconds(60))
        loader.server.answer(LoadedData(Data(#"{"text": "More"}"#.utf8)), on: scheduler)
        #expect(seen.values == ["…", "Less", "Less+", "More"])
        token.cancel()
    }
}
