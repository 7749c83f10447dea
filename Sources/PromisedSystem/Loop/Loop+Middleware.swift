internal import Promise

// What the layers of the middleware see of a turn.
extension Loop {
    /// The event as the middleware lets it pass; nil when it was stopped.
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

    /// Tells the layers that let the event pass that its turn is over, innermost first; what they have sent goes
    /// directly behind it.
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

    /// Middleware has stopped the event.
    @inlinable
    func stop(_ turn: Machine.Turn) {
        let event = progress.event ?? turn.entry.event
        machine.stopTurn()
        withdrawReplaced(isFollowedByInterim: false)
        leaveMiddleware()
        record(turn, event, .stopped)
        progress.event = nil
    }
}
