public import Foundation
public import Promise
public import PromisedSystem

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Loads data from the web, or pretends to.
///
/// ```swift
/// import Foundation
/// import PromisedSources
///
/// #if canImport(FoundationNetworking)
///     import FoundationNetworking
/// #endif
///
/// struct Offline: DataLoader {
///     func load(_ request: URLRequest, report: @escaping @Sendable (FetchProgress) -> Void) -> Promise<LoadedData> {
///         Promise(error: URLError(.notConnectedToInternet))
///     }
/// }
/// ```
public protocol DataLoader: Sendable {
    /// Makes a promise of the answer to a request, whatever its status is. Without an answer, it is rejected.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - report: Called with the progress, on any thread and until the promise is settled.
    /// - Returns: A promise; the request is sent when it is started, and cancelled with it.
    func load(
        _ request: URLRequest, report: @escaping @Sendable (FetchProgress) -> Void
    ) -> Promise<LoadedData>
}

extension DataLoader {
    /// The data of an answer, fetched at the first read or subscription, and again by the actions of the model.
    ///
    /// An answer of another status than 200 to 299 is an ``HTTPFailure``. If an answer has a validator (`ETag` or
    /// `Last-Modified`), a refresh sends it, and the data stays if the server answers that it has not changed (304).
    /// That of an answer from another address, to which there was a redirect, is not sent.
    /// One request is in flight at a time, and releasing the source cancels it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - scheduler: Where the answers are received and the values delivered.
    ///   - log: Records the calls of the actions.
    public func source(
        for request: URLRequest, on scheduler: any SerialScheduler, log: ActionLog? = nil
    ) -> Source<Fetchable<Data>> {
        answers(to: request, on: scheduler, log: log).mapFetchedValue { $0.data }
    }

    /// The answer to a request, as ``source(for:on:log:)`` has it, with its status and its header.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - scheduler: Where the answers are received and the values delivered.
    ///   - log: Records the calls of the actions.
    public func answers(
        to request: URLRequest, on scheduler: any SerialScheduler, log: ActionLog? = nil
    ) -> Source<Fetchable<LoadedData>> {
        .fetching(on: scheduler, log: log) { (fetch: FetchRequest<LoadedData>) in
            load(request.validating(fetch.previous), report: fetch.report).map { answer in
                if answer.status == 304, let previous = fetch.previous { return previous }
                guard (200...299).contains(answer.status) else { throw HTTPFailure(answer) }
                return answer
            }
        }
    }
}

extension URLRequest {
    /// The request for an answer that differs from a previous one, if that has a validator. One that has come by way of
    /// a redirect says nothing about the content of this address.
    fileprivate func validating(_ previous: LoadedData?) -> URLRequest {
        var request = self
        guard previous?.address?.absoluteString ?? url?.absoluteString == url?.absoluteString else {
            return request
        }
        for (validator, condition) in [("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")] {
            guard let value = previous?.header(validator), request.value(forHTTPHeaderField: condition) == nil
            else { continue }
            request.setValue(value, forHTTPHeaderField: condition)
        }
        return request
    }
}
