internal import Promise
public import PromisedSystem

/// The dependencies of a store or of a model: a table by key, which has a default for every key.
public struct DependencyValues: Sendable {
    private var overrides: [ObjectIdentifier: any Sendable] = [:]
    private let defaults = DefaultValues()

    /// Creates a table without overrides, whose defaults have not been evaluated.
    public init() {}

    /// The value of a key: what was set last, or else the default.
    public subscript<Key: DependencyKey>(_ key: Key.Type) -> Key.Value {
        get {
            // Unwrapped before the cast, which takes nothing for the nil of an optional value.
            let found = overrides[ObjectIdentifier(key)].flatMap { $0 as? Key.Value }
            return found ?? defaults.value(of: key)
        }
        set { overrides[ObjectIdentifier(key)] = newValue }
    }

    /// Applies the overrides of a store. A model that is created in them with a store of its own is on the same
    /// scheduler.
    @usableFromInline
    mutating func apply(_ overrides: (inout DependencyValues) -> Void, on scheduler: any SerialScheduler) {
        DefaultValues.$scheduler.withValue(scheduler) { overrides(&self) }
    }

    /// Calls a closure in which a model that is created with a store of its own uses the given scheduler.
    func inheriting<Result>(_ scheduler: any SerialScheduler, _ body: () -> Result) -> Result {
        DefaultValues.$scheduler.withValue(scheduler, operation: body)
    }
}

/// The defaults that have been evaluated. All copies of a table share them.
final class DefaultValues: Sendable {
    /// The scheduler of the store whose default is being evaluated.
    @TaskLocal static var scheduler: (any SerialScheduler)?

    private let values = Lock<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    func value<Key: DependencyKey>(of key: Key.Type) -> Key.Value {
        let id = ObjectIdentifier(key)
        let once = values.withLock { values in
            if let known = values[id] { return known }
            let new = OnceValue<Key.Value>()
            values[id] = new
            return new
        }
        guard let once = once as? OnceValue<Key.Value> else { return key.liveValue }
        return once.value(of: "default of the dependency \(key)") { key.liveValue }
    }
}
