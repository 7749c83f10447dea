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
    ///   - now: The date, for expiry.
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

/// A value in user defaults: a dictionary of its data and its date.
private final class DefaultsSlot<Value: Sendable>: StorageSlot {
    private struct Entry: Sendable, Equatable {
        var data: Data
        var date: Date
    }

    private struct NotOurs: Error, CustomStringConvertible {
        var description: String { "another part of the program has set it" }
    }

    private let suite: String?
    private let name: String
    private let coder: StorageCoder<Value>
    private let seen = Lock<Entry?>(nil)

    init(suite: String?, name: String, coder: StorageCoder<Value>) {
        (self.suite, self.name, self.coder) = (suite, name, coder)
    }

    // Not stored, as they cannot be sent to other threads.
    private var defaults: UserDefaults { suite.flatMap { UserDefaults(suiteName: $0) } ?? .standard }

    private var place: String { "The user default \"\(name)\"" }

    private func entry() throws -> Entry? {
        guard let object = defaults.object(forKey: name) else { return nil }
        guard let fields = object as? [String: Any], let data = fields["data"] as? Data,
            let date = fields["date"] as? Date
        else { throw NotOurs() }
        return Entry(data: data, date: date)
    }

    func reading() -> () -> StoredContent<Value> {
        guard let decode = coder.decode else { return { .nothing } }
        let stored = Result { try entry() }
        seen.exchange(for: try? stored.get())
        return { [place] in
            do {
                guard let entry = try stored.get() else { return .nothing }
                return .value(try decode(entry.data), date: entry.date)
            } catch {
                return .failure(StorageError(place, .read, .undecodable(error)))
            }
        }
    }

    var hasChanged: Bool { (try? entry()) != seen.withLock { $0 } }

    func writing(_ value: Value?, date: Date, ifUnchanged isConditional: Bool) throws -> () throws ->
        SlotWrite
    {
        let entry = try value.map { Entry(data: try encode($0), date: date) }
        return { [self] in
            if isConditional, hasChanged { return SlotWrite(isSuperseded: true) }
            seen.exchange(for: entry)
            if let entry {
                defaults.set(["data": entry.data, "date": entry.date] as [String: Any], forKey: name)
            } else {
                defaults.removeObject(forKey: name)
            }
            return SlotWrite()
        }
    }

    private func encode(_ value: Value) throws -> Data {
        guard let encode = coder.encode else { throw StorageError(place, .write, .notEncodable) }
        do { return try encode(value) } catch { throw StorageError(place, .write, .unencodable(error)) }
    }
}
