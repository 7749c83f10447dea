public import Promise
public import PromisedSystem

/// The progress and the response of a fetch.
public struct FetchRequest<Value: Sendable>: Sendable {
    /// The value that was fetched before; nil if there is none.
    public let previous: Value?
    /// Shows the progress of the fetch. Call it on any thread, until the promise is settled.
    public let report: @Sendable (FetchProgress) -> Void

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - previous: The value that was fetched before; nil if there is none.
    ///   - report: Called by the fetch, on any thread, with its progress.
    public init(previous: Value? = nil, report: @escaping @Sendable (FetchProgress) -> Void = { _ in }) {
        (self.previous, self.report) = (previous, report)
    }
}

extension Source {
    /// A value that is fetched at the first read or subscription, and again by the actions of the model.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// let quote = Source<Fetchable<String>>.fetching(on: .immediate) { Promise.value("Less is more.") }
    /// print(quote.value.fetched?.value ?? "…")
    /// ```
    ///
    /// One request is in flight at a time: to refresh while it is, is to wait for it. A value stays while it is
    /// refreshed, and if that fails. Releasing the source cancels the request.
    ///
    /// - Parameters:
    ///   - scheduler: Where the answers are received and the values delivered.
    ///   - log: Records the calls of the actions.
    ///   - fetch: Makes the promise of a value; called on the scheduler, once for each request.
    public static func fetching<Fetched: Sendable>(
        on scheduler: any SerialScheduler, log: ActionLog? = nil,
        _ fetch: @escaping @Sendable () -> Promise<Fetched>
    ) -> Source where Value == Fetchable<Fetched> {
        fetching(on: scheduler, log: log) { (_: FetchRequest<Fetched>) in fetch() }
    }

    /// A value that is fetched at the first read or subscription, and again by the actions of the model, by a closure
    /// that reports its progress, or that makes use of the value before.
    ///
    /// - Parameters:
    ///   - scheduler: Where the answers are received and the values delivered.
    ///   - log: Records the calls of the actions.
    ///   - fetch: Makes the promise of a value; called on the scheduler, once for each request.
    public static func fetching<Fetched: Sendable>(
        on scheduler: any SerialScheduler, log: ActionLog? = nil,
        _ fetch: @escaping @Sendable (FetchRequest<Fetched>) -> Promise<Fetched>
    ) -> Source where Value == Fetchable<Fetched> {
        MachineSource(FetchMachine(scheduler: scheduler, fetch: fetch), log: log) { send in
            send(.load)
            return []
        }.eraseToSource()
    }
}
