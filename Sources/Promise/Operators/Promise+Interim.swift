extension Promise {
    /// Puts an interim value at the very start: it is shown before the work begins, even when the outcome is
    /// there already.
    ///
    /// The value belongs to the promise that this returns. The original, which others may share, has none.
    /// What is put there last is shown first. The cost is linear in the number of values put there before.
    @inlinable
    public func interim(_ value: Value) -> Promise {
        Promise(
            representation: representation,
            leadingInterims: [.value(ValueBox(value))] + (leadingInterims ?? []))
    }

    /// Shows `state` while the promise is pending: ``interim(_:)`` by its published name.
    @inlinable
    public func stateWhenLoading(_ state: Value) -> Promise { interim(state) }

    /// The interim value at the very start, without running any work; nil when there is none.
    ///
    /// After `map`, its closure is applied to the value each time this is read, on the thread that reads, so
    /// the cost is linear in the number of `map`s. A value for which one throws is skipped.
    @inlinable
    public var loadingState: Value? {
        guard let leadingInterims else { return nil }
        for leadingInterim in leadingInterims {
            if let box = try? leadingInterim() { return box.value }
        }
        return nil
    }

    /// Every interim value at the very start, in order.
    @usableFromInline package var leadingBoxes: [ValueBox<Value>] {
        leadingInterims?.compactMap { try? $0() } ?? []
    }
}
