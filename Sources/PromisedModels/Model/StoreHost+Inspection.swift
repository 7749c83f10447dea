internal import Promise

// The guests of a store, as a test kit sees them.
extension StoreHost {
    /// Adds the store of a guest, before its models are activated. It is not retained.
    @usableFromInline
    func add<State>(_ memory: RootMemory<State>, _ lifetime: StoreLifetime) {
        addGuest { [weak memory, weak lifetime] in
            guard let memory, let lifetime else { return nil }
            return StoreInspection(memory: memory, tree: lifetime.tree)
        }
    }

    /// The stores of the guests that there are, in the order of their creation.
    var inspections: [any AnyStoreInspection] { guests.compactMap { $0 as? any AnyStoreInspection } }
}
