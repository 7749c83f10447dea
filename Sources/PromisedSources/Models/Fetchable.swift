/// A value that is fetched, as a screen shows it: in flight, fetched or failed, with the possible actions.
///
/// ```swift
/// import PromisedSources
///
/// func title(_ city: Fetchable<String>) -> String {
///     switch city {
///     case .fetching: "…"
///     case .fetched(let fetched): fetched.value
///     case .failure(let failure): "failed \(failure.failedAttempts) times"
///     }
/// }
/// print(title(.fetched(.init("Graz"))))
/// ```
public enum Fetchable<Value: Sendable>: Sendable {
    case fetching(Fetching)
    case fetched(Fetched)
    case failure(Failure)

    /// The first value is on its way.
    public struct Fetching: Sendable {
        /// How far it is, if that is known.
        public var progress: FetchProgress?
        /// Whether nothing is fetched at present, because the device is offline: it continues later by itself.
        public var isPaused: Bool

        /// Creates the case without a value.
        public init(progress: FetchProgress? = nil, isPaused: Bool = false) {
            (self.progress, self.isPaused) = (progress, isPaused)
        }
    }

    /// A value was fetched. It stays while it is refreshed, and also if that fails.
    @dynamicMemberLookup
    public struct Fetched: Sendable {
        /// The value that was fetched last.
        public var value: Value
        /// Whether the value is being fetched again.
        public var isRefreshing: Bool
        /// The error of the last refresh; nil if it has succeeded.
        public var refreshFailure: FetchFailure?
        /// Fetches the value again; nil if that can't be done.
        public var refresh: Action<Void>?
        /// Differs from that of another value of the same source; 0 if that is not known.
        var revision = 0

        /// Creates the case with a value.
        public init(
            _ value: Value, isRefreshing: Bool = false, refreshFailure: FetchFailure? = nil,
            refresh: Action<Void>? = nil
        ) {
            (self.value, self.isRefreshing) = (value, isRefreshing)
            (self.refreshFailure, self.refresh) = (refreshFailure, refresh)
        }

        /// A part of the value.
        public subscript<Part>(dynamicMember part: KeyPath<Value, Part>) -> Part { value[keyPath: part] }

        /// The same with another revision.
        func of(revision: Int) -> Self {
            var other = self
            other.revision = revision
            return other
        }
    }

    /// There is no value, because fetching it has failed.
    public struct Failure: Sendable {
        /// The error of the last attempt.
        public var error: any Error
        /// How often fetching has failed in a row.
        public var failedAttempts: Int
        /// Fetches once more; nil if that can't be done.
        public var retry: Action<Void>?

        /// Creates the case of a failure.
        public init(_ error: any Error, failedAttempts: Int = 1, retry: Action<Void>? = nil) {
            (self.error, self.failedAttempts, self.retry) = (error, failedAttempts, retry)
        }
    }

    /// The progress while the first value is fetched; nil otherwise.
    public var fetching: Fetching? { if case .fetching(let fetching) = self { fetching } else { nil } }
    /// The value and its actions; nil if there is no value.
    public var fetched: Fetched? { if case .fetched(let fetched) = self { fetched } else { nil } }
    /// The failure; nil if there is none.
    public var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }

    /// The same with another value. Actions, progress and errors stay.
    ///
    /// - Parameter transform: Called before this returns, if there is a value.
    public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Fetchable<Other> {
        switch self {
        case .fetching(let fetching):
            .fetching(.init(progress: fetching.progress, isPaused: fetching.isPaused))
        case .failure(let failure):
            .failure(.init(failure.error, failedAttempts: failure.failedAttempts, retry: failure.retry))
        case .fetched(let fetched):
            .fetched(
                .init(
                    try transform(fetched.value), isRefreshing: fetched.isRefreshing,
                    refreshFailure: fetched.refreshFailure, refresh: fetched.refresh
                ).of(revision: fetched.revision))
        }
    }
}

extension Fetchable: Equatable where Value: Equatable {}
extension Fetchable: Hashable where Value: Hashable {}
extension Fetchable.Fetching: Equatable, Hashable {}
