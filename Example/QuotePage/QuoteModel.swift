import Foundation
import PromisedSources

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Quote: Codable, Hashable {
    let quote: String
    let author: String
}

/// The contents and the actions of the screen.
struct QuoteModel: Sendable {
    /// The last quote; nil before the first one.
    var quote: Quote?
    var isLoading = false
    var problem: String?
    /// Gets another quote; nil while one is on its way.
    var next: Action<Void>?
}

extension QuoteModel {
    init(_ fetch: Fetchable<Quote>) {
        switch fetch {
        case .fetching: self.init(isLoading: true)
        case .fetched(let fetched):
            self.init(
                quote: fetched.value, isLoading: fetched.isRefreshing,
                problem: fetched.refreshFailure.map { "\($0.error)" },
                next: fetched.isRefreshing ? nil : fetched.refresh)
        case .failure(let failure): self.init(problem: "\(failure.error)", next: failure.retry)
        }
    }
}

extension Source<QuoteModel> {
    /// Quotes from a server: the first at once, another one with each call of `next`. A failure is tried again twice before
    /// it is shown.
    static func quotes(
        from request: URLRequest, by loader: some DataLoader, on scheduler: some SerialScheduler
    ) -> Source {
        loader.source(for: request, on: scheduler)
            .jsonDecoded(as: Quote.self)
            .retrying(.interval(.seconds(1), maximum: 2), forwardErrorAfter: .never, on: scheduler)
            .map { QuoteModel($0) }
    }
}
