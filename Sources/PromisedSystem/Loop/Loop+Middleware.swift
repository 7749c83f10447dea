internal import Promise

// The calls to the middleware in a turn.
extension Loop {
    /// Calls `before` of each layer, outermost first.
    ///
    /// - Returns: The event that the last layer passed on; nil if a layer stopped it.
    @inlinable
    func passMiddleware(_ event: Event) -> Event? {
        guard !middleware.layers.isEmpty else { return event }
        progress.isInMiddleware = true
        defer { progress.isInMiddleware = false }
        progress.passed = []
        var event = event
        for layer in middleware.layers where !isOver {
            switch layer.before?(event, context) ?? .pass {
            case .pass: break
            case .replace(let other): event = other
            case .stop:
                progress.event = event
                return nil
            }
            progress.passed.append(event)
        }
        return event
    }

    /// Calls `after` of each layer that passed the event on, innermost first. The events that middleware has sent
    /// during the turn are inserted directly after it.
    @inlinable
    func leaveMiddleware() {
        guard !middleware.layers.isEmpty, !isOver else { return }
        progress.isInMiddleware = true
        for (layer, event) in zip(middleware.layers, progress.passed).reversed() where !isOver {
            layer.after?(event, context)
        }
        progress.isInMiddleware = false
        machine.insertNext(progress.sentByMiddleware)
        (progress.sentByMiddleware, progress.passed) = ([], [])
    }

    /// Ends the turn of an event that middleware stopped.
    @inlinable
    func stop(_ turn: Machine.Turn) {
        let event = progress.event ?? turn.entry.event
        machine.stopTurn()
        finishReplaced(isFollowedByInterim: false)
        leaveMiddleware()
        record(turn, event, .stopped)
        progress.event = nil
    }
}
