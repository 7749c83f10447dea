public import Foundation
internal import Promise
public import PromisedSystem

/// Keeps values in user defaults, each with the date when it was set. They are written at once.
///
/// ```swift
/// import PromisedSources
///
/// let defaults = UserDefaultsPersistence(suite: "example.settings")
/// let isDark = defaults.source(for: StorageKey<Bool>("isDark"))
/// isDark.value.set(true)
/// print(UserDefaultsPersistence(suite: "example.settings").source(for: StorageKey<Bool>("isDark")).value.found?.value ?? false)
/// // true
/// isDark.value.found?.clear()
/// ```
///
/// A value that another part of the program has set, such as `@AppStorage`, is read, and stays a number, a text, a date
/// or a list when it is set here; when it was set is not known then, so that it counts as expired. Unreadable data is
/// kept as `name.damaged-1` when a value is set.
///
/// Copies of this share their values; create one for a suite. Observers of the defaults are notified on the thread that
/// sets a value.
public struct UserDefaultsPersistence: Persistence {
    private let suite: String?
    private let timing: StorageTiming
    private let table = StorageTable()

    /// Creates a storage in user defaults.
    ///
    /// - Parameters:
    ///   - suite: The name of the suite; nil for the standard defaults of the program.
    ///   - scheduler: Measures when a value expires, and publishes it there.
    ///   - isActive: Whether the program is active; the defaults are checked for changes when it becomes active.
    ///   - now: Returns the date, for expiry. Called on any thread that reads or sets a value.
    public init(
        suite: String? = nil,
        on scheduler: any SerialScheduler = QueueScheduler.serial("PromisedSources.defaults"),
        isActive: Source<Bool>? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.suite = suite
        timing = StorageTiming(scheduler: scheduler, pause: nil, now: now)
        if let isActive { table.refresh(with: isActive, on: scheduler) }
    }

    /// The value of a key, as in ``Persistence/source(for:)``.
    public func source<Value: Sendable>(for key: StorageKey<Value>) -> Source<Persistable<Value>> {
        handle(key).erased
    }

    /// Sets the value of a key under a condition, as in ``Persistence/replace(_:for:if:)``.
    @discardableResult
    public func replace<Value: Sendable>(
        _ value: Value, for key: StorageKey<Value>, if condition: (Persistable<Value>) -> Bool
    ) -> Bool { handle(key).replace(by: value, if: condition) }

    /// Removes the value of a key under a condition, as in ``Persistence/clear(_:if:)``.
    @discardableResult
    public func clear<Value: Sendable>(
        _ key: StorageKey<Value>, if condition: (Persistable<Value>) -> Bool
    ) -> Bool { handle(key).replace(by: nil, if: condition) }

    /// Publishes what something else has changed in the defaults.
    public func refresh() { table.refresh() }

    private func handle<Value: Sendable>(_ key: StorageKey<Value>) -> StorageHandle<Value> {
        table.handle(for: key.name) {
            StoredSource(
                DefaultsSlot(suite: suite, name: key.name, coder: key.coder), timing,
                expiresAfter: key.expiresAfter)
        }
    }
}
