internal import Promise

/// A value that can be changed from any thread, each change as one step: `count.wrappedValue += 1`.
///
/// ```swift
/// import PromisedSources
///
/// final class Counter: Sendable {
///     private let count = Threadsafe(wrappedValue: 0)
///     func add() -> Int {
///         count.wrappedValue += 1
///         return count.wrappedValue
///     }
/// }
/// print(Counter().add())
/// ```
///
/// In a class that is not checked for `Sendable`, it can be written as a property wrapper, `@Threadsafe var count = 0`.
/// Expressions that are evaluated while it is changed must not access it again: that would deadlock.
@propertyWrapper
public struct Threadsafe<Value: Sendable>: Sendable {
    private let content: Lock<Value>

    /// - Parameter wrappedValue: The first value.
    public init(wrappedValue: Value) { content = Lock(wrappedValue) }

    /// The value. Reading, setting and changing in place are one step each.
    public var wrappedValue: Value {
        get { content.withLock { $0 } }
        nonmutating _modify { yield &content.exclusive }
    }
}
