extension Source {
    /// A part of the value now. Read inside of `withObservationTracking`, it is told when that part becomes unequal.
    ///
    /// ```swift
    /// let text = Source.constant("Hello")
    /// print(text.count)
    /// ```
    ///
    /// A change is told where the owner delivers, when the new value is there already. What changes while the tracked
    /// closure is still running is told when it is over, if that runs where the owner delivers or on the main actor.
    public subscript<Member: Equatable & SendableMetatype>(
        dynamicMember part: any KeyPath<Value, Member> & Sendable
    ) -> Member {
        identity.tracking.read(part, of: self) { $0[keyPath: part] == $1[keyPath: part] }
    }

    /// A part of the value now, which cannot be compared: it is told of every change.
    @_disfavoredOverload
    public subscript<Member>(dynamicMember part: any KeyPath<Value, Member> & Sendable) -> Member {
        identity.tracking.read(part, of: self) { _, _ in false }
    }

    /// The value now, told of every change.
    func tracked() -> Value { identity.tracking.read(\.self, of: self) { _, _ in false } }
}
