public import Promise

extension Loop: EffectHost {
    @usableFromInline var mayBeExplored: Bool { scheduler is any SystemHost }
    @usableFromInline var runningEffects: RunningEffects? { effects }

    @inlinable
    func receive(_ event: Event, of run: EffectRun, _ origin: Origin) {
        send(event, policy: nil, origin: origin, run: run)
    }

    @inlinable
    func receiveEnd(of run: EffectRun, _ error: (any Error)?, _ last: LastEvent?, _ origin: Origin) {
        receive(.effectEnded(run, error, last, origin))
    }

    @inlinable
    func prepareLast(_ event: Event, of run: EffectRun, _ origin: Origin) -> LastEvent {
        let entry = entry(event, policy: nil, origin: origin, run: run)
        return { [self] position in
            switch position {
            case .atTheEnd: enqueue(entry)
            case .inPlaceOfTheEnd:
                isIdle = false
                if let action = machine.admit(entry, { now }) { performSeldom(action) }
            }
        }
    }

    @inlinable
    func perform(_ action: @escaping @Sendable () -> Void) { receive(.perform(action)) }

    /// Reports the failure of an effect that was created at `origin`.
    ///
    /// - Parameter isApart: Whether no end of the effect with this error follows.
    @usableFromInline
    func report(_ error: any Error, _ origin: Origin, isApart: Bool) {
        probe?.note(isApart ? .failedApart(error, origin) : .failed(error, origin))
        // Only `errors` is called: handlers that also take an event do not apply, because no event failed.
        let isHandled = !observers.errors.isEmpty
        if isHandled { observers.errors.call(error) }
        if !isExplored {
            observers.report(
                .init(problem: SystemProblem.failedEffect(error), origin: origin), isHandled: isHandled)
        }
    }
}
