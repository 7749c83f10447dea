internal import Foundation

/// Names a stored value, and says how it is stored: declare it once.
///
/// ```swift
/// import PromisedSources
///
/// struct Settings: Codable { var isDark = false }
///
/// let settings = StorageKey<Settings>("settings.json", expiresAfter: .seconds(3600))
/// print(MemoryPersistence().source(for: settings).value.found == nil)
/// // true
/// ```
///
/// Sources of one name and different types do not share their value.
public struct StorageKey<Value: Sendable>: Sendable {
    /// Identifies the value in its storage: the name of its file, for example.
    public let name: String
    /// Turns the value into data and back, for storages that need that.
    public let coder: StorageCoder<Value>
    /// How long after it was set the value is expired; nil for never. An expired value is still found.
    public let expiresAfter: Duration?
    /// How long a cache keeps the value, compared to others.
    public let priority: CachePriority

    /// Creates a key with a coder.
    ///
    /// - Parameters:
    ///   - name: Identifies the value in its storage.
    ///   - coder: Turns the value into data and back.
    ///   - expiresAfter: How long after it was set the value is expired; nil for never.
    ///   - priority: How long a cache keeps the value, compared to others.
    public init(
        _ name: String, coder: StorageCoder<Value>, expiresAfter: Duration? = nil,
        priority: CachePriority = .medium
    ) {
        // Equal names may have different bytes, and are one key.
        (self.name, self.coder) = (name.precomposedStringWithCanonicalMapping, coder)
        (self.expiresAfter, self.priority) = (expiresAfter, priority)
    }

    /// Creates the key of a value that cannot be turned into data: only memory and caches can store it.
    public init(_ name: String, expiresAfter: Duration? = nil, priority: CachePriority = .medium) {
        self.init(name, coder: .none, expiresAfter: expiresAfter, priority: priority)
    }
}

// The more is known of a type, the more can be done: the compiler chooses.
extension StorageKey where Value: Codable {
    /// Creates the key of a value that is stored as JSON.
    public init(_ name: String, expiresAfter: Duration? = nil, priority: CachePriority = .medium) {
        self.init(name, coder: .json, expiresAfter: expiresAfter, priority: priority)
    }
}

extension StorageKey where Value: Encodable {
    /// Creates the key of a value that is written as JSON, and never read.
    public init(_ name: String, expiresAfter: Duration? = nil, priority: CachePriority = .medium) {
        self.init(name, coder: .json, expiresAfter: expiresAfter, priority: priority)
    }
}

extension StorageKey where Value: Decodable {
    /// Creates the key of a value that is read as JSON, and never written: setting it is an error.
    public init(_ name: String, expiresAfter: Duration? = nil, priority: CachePriority = .medium) {
        self.init(name, coder: .json, expiresAfter: expiresAfter, priority: priority)
    }
}

extension StorageKey where Value: DataConvertible {
    /// Creates the key of a value that turns itself into data.
    public init(_ name: String, expiresAfter: Duration? = nil, priority: CachePriority = .medium) {
        self.init(name, coder: .own, expiresAfter: expiresAfter, priority: priority)
    }
}

extension StorageKey where Value: DataConvertible & Codable {
    /// Creates the key of a value that turns itself into data: its own coding is preferred.
    public init(_ name: String, expiresAfter: Duration? = nil, priority: CachePriority = .medium) {
        self.init(name, coder: .own, expiresAfter: expiresAfter, priority: priority)
    }
}
