internal import Promise

/// Marks the time in which a thread runs an in-place reducer.
///
/// A reducer has no effects. If one subscribes to a source all the same, it must neither deadlock nor block others: the
/// subscription is deferred by ``afterReducer(_:)``, because the state may have been taken out of the store. Scopes may
/// be nested.
@usableFromInline
enum ReducerScope: Sendable {
    @usableFromInline
    struct ThreadState: Sendable {
        /// The nesting depth of scopes.
        @usableFromInline var depth = 0
        /// Deferred until the outermost scope ends.
        var deferred = Deque<StoredClosure>()
        @usableFromInline var hasDeferred = false
        /// How often an event addressed a part of the state that is absent.
        @usableFromInline var missedParts = 0
    }

    @usableFromInline typealias Thread = ThreadLocal<ThreadState>.Reference

    private static let states = ThreadLocal { ThreadState() }

    /// The calling thread. A loop looks it up once for all events that it drains.
    @usableFromInline static var thread: Thread { states.current }

    /// Records that an event addressed a part of the state that is absent, so that the part's reducer was not called.
    @usableFromInline static func recordMissedPart() { thread.withValue { $0.missedParts &+= 1 } }

    /// Defers `action` until the calling thread leaves its outermost scope; runs it immediately outside of one.
    static func afterReducer(_ action: @escaping @Sendable () -> Void) {
        let isDeferred = thread.withValue { state in
            guard state.depth > 0 else { return false }
            state.deferred.append(StoredClosure(action))
            state.hasDeferred = true
            return true
        }
        if !isDeferred { action() }
    }

    @usableFromInline
    static func runDeferred(of thread: Thread) {
        while let action = thread.withValue({ $0.depth == 0 ? $0.deferred.popFirst() : nil }) { action.run() }
        thread.withValue { $0.hasDeferred = !$0.deferred.isEmpty }
    }
}

extension ThreadLocal.Reference where Value == ReducerScope.ThreadState {
    @inlinable
    func enterReducer() { withValue { $0.depth &+= 1 } }

    @inlinable
    func leaveReducer() {
        let hasDeferred = withValue { state in
            state.depth &-= 1
            return state.hasDeferred
        }
        if hasDeferred { ReducerScope.runDeferred(of: self) }
    }
}
