internal import Promise

/// The time in which a thread runs an in-place reducer; a turn of the loop marks it in the thread's ``ReducerNesting``.
///
/// A reducer has no effects. If one subscribes to a source all the same, it must neither deadlock nor block others: the
/// subscription is deferred by ``afterReducer(_:)``, because the state may have been taken out of the store. Reducers
/// may be nested.
@usableFromInline
enum ReducerScope: Sendable {
    /// Records that an event addressed a part of the state that is absent, so that the part's reducer was not called.
    @usableFromInline static func recordMissedPart() { currentReducerNesting.pointee.missedParts &+= 1 }

    /// Defers `action` until the calling thread leaves its outermost reducer; runs it immediately outside of one.
    static func afterReducer(_ action: @escaping @Sendable () -> Void) {
        let nesting = currentReducerNesting
        guard nesting.pointee.depth > 0 else { return action() }
        nesting.pointee.deferred.append(StoredClosure(action))
        nesting.pointee.hasDeferred = true
    }

    @usableFromInline
    static func runDeferred() {
        let nesting = currentReducerNesting
        while nesting.pointee.depth == 0, let action = nesting.pointee.deferred.popFirst() { action.run() }
        nesting.pointee.hasDeferred = !nesting.pointee.deferred.isEmpty
    }
}
