extension Promise {
    /// Delays the outcome.
    ///
    /// Interim values are not delayed, and the work starts immediately: to delay its start, use
    /// ``delayStart(_:on:file:line:)``.
    ///
    /// - Parameters:
    ///   - duration: The delay after the outcome of this promise; zero or less enqueues the delivery after the work
    ///     that is already pending on the scheduler.
    ///   - scheduler: The scheduler whose clock measures the delay and on which the outcome is delivered; by default
    ///     the scheduler of the chain.
    public func delay(
        _ duration: Duration, on scheduler: (any SerialScheduler)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise {
        relay(origin: Origin(file, line)) { resolver, own in
            Relay(
                outcome: { outcome in
                    let timer = (scheduler ?? own).schedule(after: duration) { resolver.resolve(outcome) }
                    // Weak, or a timer whose scheduler was released would form a retain cycle with the resolver.
                    resolver.onCancel { [weak timer, failure = outcome.failure] in
                        timer?.cancel()
                        failure?.forget()
                    }
                })
        }
    }

    /// Rejects with ``PromiseError/timedOut(_:)`` if the outcome does not arrive in time.
    ///
    /// After a timeout the upstream promise is no longer observed, and is cancelled unless it has other observers. When
    /// the outcome arrives in time, the timer is cancelled and released immediately. Interim values are forwarded and
    /// do not reset the timer.
    ///
    /// - Parameters:
    ///   - limit: The time limit, measured from the start of the work.
    ///   - scheduler: The scheduler whose clock measures the limit and on which the rejection is delivered; by default
    ///     the scheduler of the chain. An outcome that arrives in time is delivered without a hop.
    public func timeout(
        _ limit: Duration, on scheduler: (any SerialScheduler)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise {
        timed(limit, on: scheduler, Origin(file, line)) { resolver, observation in
            resolver.reject(PromiseError.timedOut(limit))
            observation.cancel()
        }
    }

    /// Forwards interim values and the outcome, and calls `expire` if the outcome does not arrive in time.
    ///
    /// - Parameter expire: Called on the scheduler of the timer, with the observation of this promise.
    func timed(
        _ limit: Duration, on scheduler: (any SerialScheduler)?, _ origin: Origin,
        _ expire: @escaping @Sendable (Resolver<Value>, Observation) -> Void
    ) -> Promise {
        Promise(origin: origin) { [self] resolver, own in
            let timer = Lock<ScheduledWork?>(nil)
            @Sendable func stopTimer() { timer.exchange(for: nil)?.cancel() }
            let target = resolver.handle.reference.storage
            let observation = observe(inheriting: own, for: target, origin) { update in
                switch update {
                case .interim(let box): resolver.report(box)
                case .outcome(let outcome):
                    resolver.resolve(outcome)
                    stopTimer()
                }
            }
            let started = (scheduler ?? own).schedule(after: limit) { expire(resolver, observation) }
            timer.exchange(for: started)
            // The outcome may have arrived meanwhile on another thread.
            if resolver.isSettled { stopTimer() }
            resolver.onCancel {
                stopTimer()
                observation.cancel()
            }
        }.led(by: leadingInterims)
    }

    /// Delivers interim values and the outcome on `scheduler`.
    ///
    /// Each delivery is enqueued there as a separate work item, and never runs before the call that settles or starts
    /// the promise returns (except on ``ImmediateScheduler``). Leading interim values (see ``interim(_:)``) are
    /// delivered on the thread that attaches the observer, unless it is attached with `onInterim(on:)`.
    ///
    /// To touch main-actor state in a handler, give the handler the scheduler: `done(on: .main) { … }`.
    public func receive(
        on scheduler: some SerialScheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        relay(origin: Origin(file, line)) { resolver, _ in
            Relay(
                interim: { box in
                    scheduler.schedule(after: .zero, ScheduledWork.once { resolver.report(box) })
                },
                outcome: { outcome in
                    resolver.onCancel { [failure = outcome.failure] in failure?.forget() }
                    scheduler.schedule(after: .zero) { resolver.resolve(outcome) }
                })
        }
    }
}
