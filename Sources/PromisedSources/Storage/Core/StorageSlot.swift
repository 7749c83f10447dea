internal import Foundation
internal import Promise

/// The place of one value in a storage.
protocol StorageSlot<Value>: Sendable {
    associatedtype Value: Sendable

    /// Reads the stored value. Called under the lock of the slot's source, so it runs no user code: that is for the
    /// closure that it returns, which is called afterwards.
    func reading() -> () -> StoredContent<Value>

    /// Prepares to store a value, or to remove it if nil; may run user code.
    ///
    /// - Parameters:
    ///   - date: When the value was set.
    ///   - isConditional: Whether to store it only over what this has read or written last, and else nothing. If not, a
    ///     value that another process has set later stays.
    /// - Returns: A closure that does it, called under the lock of the slot's source.
    func writing(_ value: Value?, date: Date, ifUnchanged isConditional: Bool) throws -> () throws ->
        SlotWrite

    /// Whether the stored value was changed by others since this has read or written it.
    var hasChanged: Bool { get }
}

/// The contents of a slot.
enum StoredContent<Value: Sendable>: Sendable {
    case value(Value, date: Date)
    case nothing
    /// There is nothing, or there was no room for it.
    case dropped
    case failure(any Error)
}

/// How a write has ended.
struct SlotWrite {
    /// Whether nothing was written, because another process has changed the stored value.
    var isSuperseded = false
    /// Called when the lock is released.
    var afterwards: (@Sendable () -> Void)?
}

/// When a source writes and expires.
struct StorageTiming: Sendable {
    let scheduler: any SerialScheduler
    /// How long changes are collected before they are written; nil to write each at once.
    let pause: Duration?
    /// The date, for expiry.
    let now: @Sendable () -> Date
}

extension Date {
    /// The time since another date, or ten thousand years if it is longer. Dates come from files, where they can be
    /// any.
    ///
    /// It is no initializer of `Duration`: where the compiler looks for one, it finds that of a `timespec`, and then
    /// takes that type in `SystemFiles` for one of another module.
    func duration(since start: Date) -> Duration {
        let seconds = timeIntervalSince(start), limit = Duration.longest.inSeconds
        return seconds.isNaN ? .zero : .seconds(min(max(-limit, seconds), limit))
    }
}

extension Duration {
    /// Ten thousand years.
    static var longest: Duration { .seconds(315_576_000_000) }

    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1_000_000_000_000_000_000
    }
}
