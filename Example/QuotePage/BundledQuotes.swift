import Foundation
import PromisedSources

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers each request with the next of a few quotes, without a network.
struct BundledQuotes: DataLoader {
    private static let quotes = [
        Quote(quote: "Less is more.", author: "Robert Browning"),
        Quote(quote: "Brevity is the soul of wit.", author: "William Shakespeare"),
        Quote(quote: "The map is not the territory.", author: "Alfred Korzybski"),
    ]

    private let count = Threadsafe(wrappedValue: 0)

    func load(
        _ request: URLRequest, report: @escaping @Sendable (FetchProgress) -> Void
    ) -> Promise<LoadedData> {
        Promise { resolver in
            let index = count.wrappedValue
            count.wrappedValue += 1
            resolver.fulfill(LoadedData(try JSONEncoder().encode(Self.quotes[index % Self.quotes.count])))
        }
    }
}
