extension Source {
    /// The present value of a property. Read inside of `withObservationTracking`, it is tracked by itself: `onChange`
    /// is called when that property becomes unequal.
    ///
    /// ```swift
    /// let text = Source.constant("Hello")
    /// print(text.count)
    /// ```
    ///
    /// `onChange` is called where the owner delivers, when the new value can already be read. For a change while the
    /// tracked closure is still running, it is called after that returns, if the closure runs where the owner delivers
    /// or on the main actor.
    ///
    /// A property that is called like a member of `Source`, such as `filter`, is read by `subscript(_:)`.
    @inlinable
    public subscript<Member: Equatable & SendableMetatype>(
        dynamicMember part: any KeyPath<Value, Member> & Sendable
    ) -> Member {
        guard isObservationTracked else { return read()[keyPath: part] }
        return tracked(part) { areSame($0[keyPath: part], $1[keyPath: part]) }
    }

    /// The present value of a property that cannot be compared: `onChange` is called for every change of the value.
    @_disfavoredOverload @inlinable
    public subscript<Member>(dynamicMember part: any KeyPath<Value, Member> & Sendable) -> Member {
        isObservationTracked ? tracked(part) { _, _ in false } : read()[keyPath: part]
    }

    /// The present value of a property, tracked like one that is read by its name. This also reads properties that
    /// are called like a member of `Source`, which hides them.
    ///
    /// ```swift
    /// struct Search { var filter = "tea" }
    /// let search = Source.constant(Search())
    /// print(search[\.filter])
    /// ```
    @inlinable
    public subscript<Member: Equatable & SendableMetatype>(
        _ part: any KeyPath<Value, Member> & Sendable
    ) -> Member { self[dynamicMember: part] }

    /// The present value of a property that cannot be compared: `onChange` is called for every change of the value.
    @_disfavoredOverload @inlinable
    public subscript<Member>(_ part: any KeyPath<Value, Member> & Sendable) -> Member {
        self[dynamicMember: part]
    }

    /// The present value, tracked for every change.
    @usableFromInline
    func tracked() -> Value { tracked(\.self) { _, _ in false } }

    @usableFromInline
    func tracked<Member>(
        _ part: any KeyPath<Value, Member> & Sendable, isEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Member {
        identity.tracking.read(part, of: self, isEqual: isEqual)
    }
}
