internal import Foundation

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
    /// The value that previews use in its place; by default the live one.
    static var previewValue: Value { get }
    /// The value that tests use in its place, such as one that fails the test; by default the live one.
    static var testValue: Value { get }
}

extension DependencyKey {
    /// The live value.
    public static var previewValue: Value { liveValue }
    /// The live value.
    public static var testValue: Value { liveValue }

    static func value(in context: DependencyContext) -> Value {
        switch context {
        case .live: liveValue
        case .preview: previewValue
        case .test: testValue
        }
    }
}

/// The purpose of a store, which decides on the defaults of its dependencies.
public enum DependencyContext: Sendable {
    /// The defaults are ``DependencyKey/liveValue``.
    case live
    /// The defaults are ``DependencyKey/previewValue``. Stores in previews of Xcode have this at first.
    case preview
    /// The defaults are ``DependencyKey/testValue``. Test stores have this at first.
    case test

    static let current: DependencyContext =
        ProcessInfo.processInfo.environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1" ? .preview : .live
}
