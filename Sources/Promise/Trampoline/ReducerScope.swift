/// Marks a user's pure closure that runs under a lock, so that it can change a value in place.
///
/// A pure closure has no other effects. If it does call into the library all the same, it must neither deadlock nor
/// block others: while the scope lasts, its thread waits for no lock that another such closure may hold; instead, reads
/// are non-blocking and mutations are deferred by ``afterReducer(_:)``. Scopes may be nested.
@usableFromInline
package struct ReducerScope: ~Copyable {
    private let trampoline: Trampoline

    /// Enters the scope.
    ///
    /// - Parameter origin: Where the event was sent that the closure handles, for reports.
    @usableFromInline
    package init(for origin: Origin) {
        trampoline = Trampoline.current
        trampoline.state.pointee.reducerDepth += 1
        trampoline.state.pointee.reducerPlace = origin.place
    }

    deinit {
        trampoline.state.pointee.reducerDepth -= 1
        guard trampoline.state.pointee.reducerDepth == 0 else { return }
        while let action = trampoline.state.pointee.afterReducer.popFirst() { action.run() }
    }

    /// The identity of the thread that runs the closure.
    @usableFromInline package var thread: UInt { trampoline.address }

    /// Whether the calling thread is inside such a scope.
    @usableFromInline package static var isActive: Bool { Trampoline.current.state.pointee.reducerDepth > 0 }

    /// The `origin` of the scope entered last on this thread.
    package static var origin: Origin { Origin(place: Trampoline.current.state.pointee.reducerPlace) }

    /// Records that an event addressed a part of the state that is absent, so that the part's reducer was not called.
    @usableFromInline package static func recordMissedPart() {
        Trampoline.current.state.pointee.missedParts &+= 1
    }

    /// How often ``recordMissedPart()`` was called on this thread.
    @usableFromInline package static var missedParts: Int {
        get { Trampoline.current.state.pointee.missedParts }
        set { Trampoline.current.state.pointee.missedParts = newValue }
    }

    /// Defers `action` until the calling thread leaves its outermost scope; runs it immediately outside of one.
    package static func afterReducer(_ action: @escaping @Sendable () -> Void) {
        let trampoline = Trampoline.current
        if trampoline.state.pointee.reducerDepth > 0 {
            trampoline.state.pointee.afterReducer.append(Action(action))
        } else {
            action()
        }
    }
}

@available(*, unavailable)
extension ReducerScope: Sendable {}
