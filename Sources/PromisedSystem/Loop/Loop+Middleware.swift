internal import Promise

// The calls to the middleware in a turn.
extension Loop: MiddlewareHost {
    @inlinable var context: Middleware<State, Event>.Context { .init(.system(store, .init(self))) }

    @inlinable
    func receiveFromMiddleware(_ event: Event, _ origin: Origin) {
        send(event, policy: nil, origin: origin, run: nil)
    }

    /// Calls `before` of each layer, outermost first, and sets the event of the turn to what the last one passed on.
    ///
    /// - Returns: False if a layer stopped the event.
    @inlinable
    func passMiddleware(_ turn: inout Machine.Turn) -> Bool {
        if !middleware.layers.isEmpty { noteEntering([turn.event], isAfterTurn: false) }
        progress.isInMiddleware = true
        defer {
            progress.isInMiddleware = false
            if !middleware.layers.isEmpty { probe?.note(.leavesMiddleware) }
        }
        machine.enqueueInserted()
        (progress.passed, progress.sent) = ([], nil)
        for layer in middleware.layers where !isOver {
            switch layer.before?(turn.event, context) ?? .pass {
            case .pass: break
            case .replace(let other):
                progress.sent = progress.sent ?? turn.event
                turn.event = other
            case .stop: return false
            }
            progress.passed.append(turn.event)
        }
        return true
    }

    @inlinable
    func noteEntering(_ events: @autoclosure () -> [Event], isAfterTurn: Bool) {
        guard let probe else { return }
        probe.note(
            .entersMiddleware(
                events(), ownerState, isAfterTurn: isAfterTurn, isStateful: middleware.isStateful))
    }

    /// Calls `after` of each layer that passed the event on, innermost first.
    @inlinable
    func leaveMiddleware() {
        guard !progress.passed.isEmpty, !isOver else { return }
        noteEntering(progress.passed, isAfterTurn: true)
        progress.isInMiddleware = true
        for (layer, event) in zip(middleware.layers, progress.passed).reversed() where !isOver {
            layer.after?(event, context)
        }
        progress.isInMiddleware = false
        progress.passed = []
        probe?.note(.leavesMiddleware)
    }

    /// Ends the turn of an event that middleware stopped.
    @inlinable
    func stop(_ turn: Machine.Turn) {
        finishReplaced(isFollowedByInterim: false)
        // A turn that was replaced has left its own, if no observed turn followed.
        progress.before = nil
        leaveMiddleware()
        if turn.startedAt != nil { record(turn, .stopped) }
    }
}
