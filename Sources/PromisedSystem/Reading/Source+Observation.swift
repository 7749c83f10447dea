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
    @inlinable
    public subscript<Member: Equatable & SendableMetatype>(
        dynamicMember part: any KeyPath<Value, Member> & Sendable
    ) -> Member {
        guard identity.isTracked else { return read()[keyPath: part] }
        return tracked(part) { $0[keyPath: part] == $1[keyPath: part] }
    }

    /// A part of the value now, which cannot be compared: it is told of every change.
    @_disfavoredOverload @inlinable
    public subscript<Member>(dynamicMember part: any KeyPath<Value, Member> & Sendable) -> Member {
        identity.isTracked ? tracked(part) { _, _ in false } : read()[keyPath: part]
    }

    /// The value now, told of every change.
    @usableFromInline
    func tracked() -> Value { tracked(\.self) { _, _ in false } }

    @usableFromInline
    func tracked<Member>(
        _ part: any KeyPath<Value, Member> & Sendable, isEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Member {
        identity.tracking.read(part, of: self, isEqual: isEqual)
    }
}
