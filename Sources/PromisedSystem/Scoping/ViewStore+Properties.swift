extension ViewStore {
    /// The state's present value of a property, tracked like one that is read by its name. This also reads properties
    /// that are called like a member of `ViewStore`, such as `isLoading`, which hides them.
    public subscript<Member: Equatable & SendableMetatype>(
        _ part: any KeyPath<State, Member> & Sendable
    ) -> Member { self[dynamicMember: part] }

    /// The state's present value of a property that cannot be compared: `onChange` is called for every change.
    @_disfavoredOverload
    public subscript<Member>(_ part: any KeyPath<State, Member> & Sendable) -> Member {
        self[dynamicMember: part]
    }
}
