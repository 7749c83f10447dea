internal import Promise
public import PromisedSystem

/// The dependencies of a store or of a model: a table by key, which has a default for every key.
public struct DependencyValues: Sendable {
    private var overrides: [ObjectIdentifier: any Sendable] = [:]
    /// What a guest has when its host is gone.
    private var last: [ObjectIdentifier: any Sendable] = [:]
    private var defaults = DefaultValues()
    /// The store that it is of.
    private let host: StoreHost?
    /// Whether it is that of a guest of the store, which inherits what it does not override.
    private let isOfGuest: Bool

    /// Creates a table without overrides, whose defaults have not been evaluated.
    public init() { (host, isOfGuest) = (nil, false) }

    /// Creates the table of a store or, if it is a guest, that of a guest.
    @usableFromInline
    init(_ host: StoreHost, isOfGuest: Bool, _ scheduler: any SerialScheduler) {
        (self.host, self.isOfGuest) = (host, isOfGuest)
        let clock = SchedulerClock(scheduler)
        if isOfGuest, scheduler === host.scheduler {
            var values = DependencyValues()
            values.clock = clock
            last = values.overrides
        } else {
            self.clock = clock
        }
    }

    /// The value of a key: what was set last, or else the default.
    public subscript<Key: DependencyKey>(_ key: Key.Type) -> Key.Value {
        get {
            // Unwrapped before the cast, which takes nothing for the nil of an optional value.
            if let found = overrides[ObjectIdentifier(key)].flatMap({ $0 as? Key.Value }) { return found }
            guard isOfGuest else { return defaults.value(of: key, host) }
            if let inherited = host?.values { return inherited[key] }
            return last[ObjectIdentifier(key)].flatMap { $0 as? Key.Value } ?? defaults.value(of: key, host)
        }
        set { overrides[ObjectIdentifier(key)] = newValue }
    }

    /// Applies the overrides of a store. A model that is created in them with a store of its own is its guest.
    @usableFromInline
    mutating func apply(_ overrides: (inout DependencyValues) -> Void) {
        inheriting { overrides(&$0) }
    }

    /// Calls a closure in which a model that is created with a store of its own is a guest.
    mutating func inheriting<Result>(_ body: (inout DependencyValues) -> Result) -> Result {
        StoreHost.$current.withValue(host) { body(&self) }
    }

    /// The same values, without those that are models.
    var withoutModels: DependencyValues {
        var values = self
        values.overrides = overrides.filter { !($0.value is any Model) }
        values.defaults = defaults.withoutModels
        return values
    }
}

/// The defaults that have been evaluated. All copies of a table share them.
final class DefaultValues: Sendable {
    private typealias Once = (value: any AnyObject & Sendable, isModel: Bool)

    private let values: Lock<[ObjectIdentifier: Once]>

    init() { values = Lock([:]) }
    private init(_ values: [ObjectIdentifier: Once]) { self.values = Lock(values) }

    func value<Key: DependencyKey>(of key: Key.Type, _ host: StoreHost?) -> Key.Value {
        let id = ObjectIdentifier(key)
        let once = values.withLock { values in
            if let known = values[id]?.value { return known }
            let new = OnceValue<Key.Value>()
            values[id] = (new, Key.Value.self is any Model.Type)
            return new
        }
        guard let once = once as? OnceValue<Key.Value> else { return key.liveValue }
        return once.value(of: "default of the dependency \(key)") {
            StoreHost.$current.withValue(host) { key.liveValue }
        }
    }

    var withoutModels: DefaultValues { DefaultValues(values.withLock { $0.filter { !$0.value.isModel } }) }
}
