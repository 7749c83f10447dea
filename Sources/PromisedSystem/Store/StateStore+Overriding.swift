public import Promise
internal import Synchronization

// An override: readers and subscribers see another state; the loop continues with its own.
//
// Meanwhile the subscribers are in another list, so that the loop has nothing to check, and none to notify.
extension StateStore {
    @usableFromInline typealias Notify = @Sendable () -> Void

    var isOverridden: Bool { contents.withLock { $0.isOverridden } }

    /// Sets the state that readers see at once; nil for the present one.
    ///
    /// - Returns: Notifies the subscribers; to be called by the owner of the loop, in the order of the calls. Nil if
    ///   nothing has changed, and after the end.
    func override(by state: ValueBox<State>?) -> Notify? {
        let (isChanged, listeners, past) = contents.withLock {
            contents -> (Bool, Listeners, ValueBox<State>?) in
            guard !contents.isOver, state != nil || contents.isOverridden else {
                return (false, Listeners(), nil)
            }
            let past = state == nil ? contents.endOverriding() : contents.beginOverriding(state)
            let subscribers = contents.allSubscribers
            if !subscribers.isEmpty { isNotifying.store(true, ordering: .releasing) }
            return (true, subscribers.snapshot, past)
        }
        withExtendedLifetime(past) {}
        guard isChanged else { return nil }
        guard let state else { return { [self] in notifyOfPresent(listeners) } }
        return { [self] in notify(listeners, StateChange(state, .committed)) }
    }

    /// Of the settled state, then of the loading one, if that is shown: of the present ones, as they may have changed.
    private func notifyOfPresent(_ listeners: Listeners) {
        let (settled, interim) = withContents { contents in
            (contents.visible, contents.isOverridden ? nil : contents.interim)
        }
        notify(listeners, StateChange(settled, .committed))
        if let interim { notify(listeners, StateChange(interim, .interim)) }
    }
}

extension StateStore.Contents {
    /// The settled state for readers.
    @inlinable var visible: ValueBox<State> {
        isOverridden ? overriding ?? settled : settled
    }

    var allSubscribers: Subscribers<StateNotification<State>> {
        get { isOverridden ? subscribersToOverride : subscribers }
        _modify {
            if isOverridden { yield &subscribersToOverride } else { yield &subscribers }
        }
    }

    /// - Returns: The override before, which the caller releases outside the lock.
    fileprivate mutating func beginOverriding(_ state: ValueBox<State>?) -> ValueBox<State>? {
        if !isOverridden { swap(&subscribers, &subscribersToOverride) }
        defer { (overriding, isOverridden) = (state, true) }
        return overriding
    }

    /// The same.
    mutating func endOverriding() -> ValueBox<State>? {
        if isOverridden { swap(&subscribers, &subscribersToOverride) }
        isOverridden = false
        return overriding.take()
    }
}
