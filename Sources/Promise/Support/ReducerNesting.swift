/// How deep a thread is inside of the in-place reducers of systems, and what is to be done once it has left them.
@usableFromInline
package struct ReducerNesting {
    /// The nesting depth of reducers.
    @usableFromInline package var depth = 0
    /// Deferred until the outermost reducer has returned.
    package var deferred = Deque<StoredClosure>()
    @usableFromInline package var hasDeferred = false
    /// How often an event addressed a part of the state that is absent.
    @usableFromInline package var missedParts = 0
}

@available(*, unavailable)
extension ReducerNesting: Sendable {}
