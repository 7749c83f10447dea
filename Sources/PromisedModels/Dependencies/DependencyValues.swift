internal import Promise
public import PromisedSystem

/// The dependencies of a store or of a model: a table by key, which has a default for every key.
public struct DependencyValues: Sendable {
    private var overrides: [ObjectIdentifier: any Sendable] = [:]
    private var defaults: DefaultValues
    /// Called with the store before its first model is activated.
    @usableFromInline var startRecording: (@Sendable (any Recordable) -> Void)?

    /// Creates a table without overrides, whose defaults have not been evaluated.
    public init() { defaults = DefaultValues() }

    /// Creates the table of a store or, if it is a guest, that of a guest.
    @usableFromInline
    init(_ host: StoreHost, isOfGuest: Bool, _ scheduler: any SerialScheduler) {
        var last = DependencyValues()
        last.clock = SchedulerClock(scheduler)
        if isOfGuest, scheduler === host.scheduler {
            defaults = DefaultValues(host, last: last.overrides)
        } else {
            (overrides, defaults) = (last.overrides, DefaultValues(host, last: isOfGuest ? [:] : nil))
        }
    }

    /// The purpose of the store. Models that are dependencies have that of the store. Set it in the closure of a store:
    ///
    /// ```swift
    /// import PromisedModels
    ///
    /// struct Counter: Model {
    ///     struct State: Equatable { var count = 0 }
    ///     let context: ModelContext<Counter>
    /// }
    ///
    /// let preview = Counter(initialState: .init(count: 4), scheduler: .immediate) { $0.context = .preview }
    /// print(preview.count)
    /// ```
    public var context = DependencyContext.current

    /// The value of a key: the one set last, or else the default.
    public subscript<Key: DependencyKey>(_ key: Key.Type) -> Key.Value {
        get {
            // Unwrapped before the cast, which takes nothing for the nil of an optional value.
            let found = overrides[ObjectIdentifier(key)].flatMap { $0 as? Key.Value }
            return found ?? defaults.inherited(key) ?? defaults.value(of: key, context)
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
        StoreHost.$current.withValue(defaults.host) { body(&self) }
    }

    /// The same values, without those of types that are not kept.
    func filtered(_ keeps: (any Sendable.Type) -> Bool) -> DependencyValues {
        var values = self
        values.overrides = overrides.filter { keeps(type(of: $0.value)) }
        values.defaults = defaults.filtered(keeps)
        return values
    }
}

/// The evaluated defaults, and the inherited values instead of them. All copies of a table share them.
final class DefaultValues: Sendable {
    private typealias Once = (value: any AnyObject & Sendable, type: any Sendable.Type)

    private let values: Lock<[ObjectIdentifier: Once]>
    /// The store that they are of.
    let host: StoreHost?
    /// The values of a guest after the end of its host; nil if they are not those of a guest.
    private let last: [ObjectIdentifier: any Sendable]?

    convenience init(_ host: StoreHost? = nil, last: [ObjectIdentifier: any Sendable]? = nil) {
        self.init([:], host, last)
    }

    private init(
        _ values: [ObjectIdentifier: Once], _ host: StoreHost?, _ last: [ObjectIdentifier: any Sendable]?
    ) {
        (self.values, self.host, self.last) = (Lock(values), host, last)
    }

    /// The inherited values of a guest; nil for the table of a host, and after the end of that.
    func inherited<Key: DependencyKey>(_ key: Key.Type) -> Key.Value? {
        guard let last else { return nil }
        if let values = host?.values { return values[key] }
        return last[ObjectIdentifier(key)].flatMap { $0 as? Key.Value }
    }

    func value<Key: DependencyKey>(of key: Key.Type, _ context: DependencyContext) -> Key.Value {
        let id = ObjectIdentifier(key)
        let once = values.withLock { values in
            if let known = values[id]?.value { return known }
            let new = OnceValue<Key.Value>()
            values[id] = (new, Key.Value.self)
            return new
        }
        guard let once = once as? OnceValue<Key.Value> else { return key.value(in: context) }
        return once.value(of: "default of the dependency \(key)") {
            StoreHost.$current.withValue(host) { key.value(in: context) }
        }
    }

    func filtered(_ keeps: (any Sendable.Type) -> Bool) -> DefaultValues {
        DefaultValues(values.withLock { $0.filter { keeps($0.value.type) } }, nil, last)
    }
}
