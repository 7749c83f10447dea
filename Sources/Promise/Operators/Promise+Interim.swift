extension Promise {
    /// Prepends a *leading interim value*: observers receive it before the work begins, even if the promise has already
    /// settled.
    ///
    /// The value belongs to the returned promise; the original, which may be shared, is unchanged. Of several leading
    /// interim values, the one added last is delivered first. The cost is linear in the number of leading interim
    /// values added before.
    public func interim(_ value: Value) -> Promise {
        let first = LeadingInterim(first: ValueBox(value).content, transforms: Transforms())
        return led(by: [first] + (leadingInterims ?? []))
    }

    /// Prepends `state` as a loading state, for promises returned by a reducer: an alias of ``interim(_:)``.
    public func stateWhenLoading(_ state: Value) -> Promise { interim(state) }

    /// The first leading interim value, read without starting any work; nil if there is none.
    ///
    /// The closures of `map`s that follow ``interim(_:)`` are applied at every read, on the reading thread, so the
    /// cost is linear in the number of `map`s. A value for which one of them throws is skipped.
    public var loadingState: Value? {
        for leadingInterim in leadingInterims ?? [] {
            if let box = try? leadingInterim() { return box.value }
        }
        return nil
    }

    /// The leading interim values, in order.
    @usableFromInline package var leadingBoxes: [ValueBox<Value>] {
        leadingInterims?.compactMap { try? $0() } ?? []
    }
}
