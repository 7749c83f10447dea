internal import Promise

/// The common ground of a store and the models that are its dependencies, its guests: each has a store of its own, on
/// the same scheduler, and inherits the dependencies.
@usableFromInline
final class StoreHost: Sendable {
    /// The host one of whose dependencies is being created.
    @TaskLocal static var current: StoreHost?
    /// The dependencies of the host that is being released, for the last hooks of its guests.
    @TaskLocal private static var last: DependencyValues?

    let scheduler: any SerialScheduler
    private let contents = Lock(HostContents())

    private struct HostContents: Sendable {
        var lastNumber = 0
        /// The only table of the store, whose defaults and overrides may be guests. Nil until it is complete, and after
        /// the store was released: that ends the cycle of the guests and this.
        var values: DependencyValues?
        var isPreparing = true
        var guests: [Guest] = []
        var lastGuest = 0
        /// The activations of the guests for when the table is complete, with their numbers.
        var waiting: [(guest: Int, activate: @Sendable () -> Void)] = []
        var observers: [@Sendable (any Sendable) -> Void] = []
    }

    @usableFromInline
    init(_ scheduler: any SerialScheduler) { self.scheduler = scheduler }

    /// Counts the nodes of the store and of its guests.
    func nextNumber() -> Int {
        contents.withLock { contents in
            contents.lastNumber += 1
            return contents.lastNumber
        }
    }

    // MARK: Dependencies

    /// The dependencies of the store.
    var values: DependencyValues? { contents.withLock { $0.values } ?? Self.last }

    /// Sets the dependencies of the store, and activates the guests that were created for them.
    @usableFromInline
    func begin(_ values: DependencyValues) {
        let waiting = contents.withLock { contents in
            (contents.values, contents.isPreparing) = (values, false)
            defer { contents.waiting = [] }
            return contents.waiting
        }
        leaving { for (_, activate) in waiting { activate() } }
    }

    /// Calls a closure that is no part of the creation of a dependency, such as the activation of a guest.
    @usableFromInline
    func leaving(_ body: () -> Void) { Self.$current.withValue(nil, operation: body) }

    /// Whether a guest is to be activated later, by the closure.
    func delays(_ guest: Int, _ activate: @escaping @Sendable () -> Void) -> Bool {
        contents.withLock { contents in
            guard contents.isPreparing else { return false }
            if !contents.waiting.contains(where: { $0.guest == guest }) {
                contents.waiting.append((guest, activate))
            }
            return true
        }
    }

    /// Releases the dependencies. Guests that nothing else retains end, and their last hooks read the others.
    ///
    /// - Parameter keeps: Whether values of a type are no models.
    func end(keeping keeps: (any Sendable.Type) -> Bool) {
        var values = contents.withLock { contents in
            defer { contents.values = nil }
            return contents.values
        }
        Self.$last.withValue(values?.filtered(keeps)) { values = nil }
    }

    // MARK: Guests

    /// A guest, as long as something retains it.
    private final class Guest: Sendable {
        let found: @Sendable () -> (any Sendable)?

        init(_ found: @escaping @Sendable () -> (any Sendable)?) { self.found = found }
    }

    /// Adds a guest, before its models are activated.
    ///
    /// - Parameter found: Returns the guest; nil when nothing retains it any more.
    func addGuest(_ found: @escaping @Sendable () -> (any Sendable)?) {
        // Looked for without the lock, as the last reference to one may go meanwhile.
        let gone = contents.withLock { $0.guests }.filter { $0.found() == nil }
        let observers = contents.withLock { contents in
            contents.guests.removeAll { guest in gone.contains { $0 === guest } }
            contents.guests.append(Guest(found))
            return contents.observers
        }
        if let guest = found() { for observe in observers { observe(guest) } }
    }

    /// The number of a guest, in the order of their creation.
    func nextGuest() -> Int {
        contents.withLock { contents in
            contents.lastGuest += 1
            return contents.lastGuest
        }
    }

    /// The guests that there are, in the order of their creation.
    var guests: [any Sendable] { contents.withLock { $0.guests }.compactMap { $0.found() } }

    /// Calls a closure with every guest: with those that there are, and with later ones before they are activated.
    func observeGuests(_ body: @escaping @Sendable (any Sendable) -> Void) {
        contents.withLock { $0.observers.append(body) }
        for guest in guests { body(guest) }
    }
}
