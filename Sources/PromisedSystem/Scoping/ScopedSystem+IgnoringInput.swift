extension ScopedSystem {
    /// This system read-only: its event type is `Never`, so no event can be sent.
    ///
    /// ```swift
    /// func show(_ count: ScopedSystem<Int, Never>) { print(count.state) }
    ///
    /// let counter = System<Int, Int>(initialState: 4, scheduler: .immediate) { .value($0 + $1) }
    /// show(counter.scoped().ignoringInput)
    /// ```
    public var ignoringInput: ScopedSystem<State, Never> {
        ScopedSystem<State, Never>(settled: settled, shown: makeShown, place: place) { _, _, _ in }
    }
}
