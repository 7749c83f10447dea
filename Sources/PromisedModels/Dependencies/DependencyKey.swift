/// Identifies something that models use and a test replaces, and says what it is by default.
///
/// <!-- fence: compile -->
/// ```swift
/// import PromisedModels
///
/// struct FactClient: Sendable {
///     var fetch: @Sendable (Int) async throws -> String
/// }
///
/// enum FactClientKey: DependencyKey {
///     static let liveValue = FactClient { number in "\(number) is a number" }
/// }
///
/// extension DependencyValues {
///     var factClient: FactClient {
///         get { self[FactClientKey.self] }
///         set { self[FactClientKey.self] = newValue }
///     }
/// }
/// ```
public protocol DependencyKey: Sendable {
    /// The type of the dependency. It may be a ``Model``, which models then share.
    associatedtype Value: Sendable

    /// The value that is used unless it is overridden. Evaluated once for each store, when it is first read.
    static var liveValue: Value { get }
}
