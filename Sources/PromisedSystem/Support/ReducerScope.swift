public import Promise

/// Marks a user's pure closure that runs under a lock, so that it can change a value in place.
///
/// A pure closure has no other effects. If it does call into the library all the same, it must neither deadlock nor
/// block others: while the scope lasts, its thread waits for no lock that another such closure may hold; instead, reads
/// are non-blocking and mutations are deferred by ``afterReducer(_:)``. Scopes may be nested.
@usableFromInline
struct ReducerScope: ~Copyable {
    @usableFromInline
    struct ThreadState: Sendable {
        /// The nesting depth of scopes, and the origin of the scope entered last.
        var depth = 0
        var place: UInt64 = 0
        /// Deferred until the outermost scope ends.
        var deferred = Deque<Action>()
        var missedParts = 0
    }

    private static let states = ThreadLocal { ThreadState() }

    @usableFromInline let state: ThreadLocal<ThreadState>.Reference

    /// Enters the scope.
    ///
    /// - Parameter origin: Where the event was sent that the closure handles, for reports.
    @usableFromInline
    init(for origin: Origin) {
        state = Self.states.current
        state.withValue {
            $0.depth += 1
            $0.place = origin.place
        }
    }

    // Inlinable, or the compiler (6.3.1) fails on inlinable functions that end a scope.
    @inlinable
    deinit { Self.leave(state) }

    @usableFromInline
    static func leave(_ state: ThreadLocal<ThreadState>.Reference) {
        state.withValue { $0.depth -= 1 }
        while let action = state.withValue({ $0.depth == 0 ? $0.deferred.popFirst() : nil }) { action.run() }
    }

    /// Whether the calling thread is inside such a scope.
    @usableFromInline static var isActive: Bool { states.current.withValue { $0.depth > 0 } }

    /// The `origin` of the scope entered last on this thread.
    static var origin: Origin { Origin(place: states.current.withValue { $0.place }) }

    /// Records that an event addressed a part of the state that is absent, so that the part's reducer was not called.
    @usableFromInline static func recordMissedPart() { states.current.withValue { $0.missedParts &+= 1 } }

    /// How often ``recordMissedPart()`` was called on this thread.
    @usableFromInline static var missedParts: Int {
        get { states.current.withValue { $0.missedParts } }
        set { states.current.withValue { $0.missedParts = newValue } }
    }

    /// Defers `action` until the calling thread leaves its outermost scope; runs it immediately outside of one.
    static func afterReducer(_ action: @escaping @Sendable () -> Void) {
        let isDeferred = states.current.withValue { state in
            if state.depth > 0 { state.deferred.append(Action(action)) }
            return state.depth > 0
        }
        if !isDeferred { action() }
    }
}

@available(*, unavailable)
extension ReducerScope: Sendable {}
