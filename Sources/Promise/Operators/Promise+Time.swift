extension Promise {
    /// Delivers the outcome later.
    ///
    /// Interim values are not delayed, and the work starts at once: to have it start later, use
    /// ``delayStart(_:on:file:line:)``.
    ///
    /// - Parameters:
    ///   - duration: How long after the outcome came; zero or less means behind what its scheduler has to
    ///     do already.
    ///   - scheduler: On whose clock, and where the outcome is delivered; by default the scheduler of the chain.
    public func delay(
        _ duration: Duration, on scheduler: (any SerialScheduler)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise {
        relay(origin: Origin(file, line)) { resolver, own in
            Relay(
                interim: { resolver.report($0) },
                outcome: { outcome in
                    let timer = (scheduler ?? own).schedule(after: duration) { resolver.resolve(outcome) }
                    // Weakly, or a timer whose scheduler is gone would keep the resolver, and so itself.
                    resolver.onCancel { [weak timer, failure = outcome.failure] in
                        timer?.cancel()
                        failure?.forget()
                    }
                })
        }
    }

    /// Rejects with ``PromiseError/timedOut(_:)`` when the outcome takes too long.
    ///
    /// What was waited for is then let go of at once, and cancelled unless somebody else is interested. When
    /// the outcome comes in time, the timer is let go of at once. Interim values are kept, and do not count
    /// as the outcome.
    ///
    /// - Parameters:
    ///   - limit: How long to wait, from the start of the work.
    ///   - scheduler: On whose clock, and where the rejection is delivered; by default the scheduler of the
    ///     chain. An outcome that comes in time is delivered where it comes.
    public func timeout(
        _ limit: Duration, on scheduler: (any SerialScheduler)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Promise {
        let origin = Origin(file, line)
        let limited = Promise(origin: origin) { [self] resolver, own in
            let timer = Lock<ScheduledWork?>(nil)
            @Sendable func stopTimer() {
                timer.withLock { timer in
                    defer { timer = nil }
                    return timer
                }?.cancel()
            }
            let observation = observe(on: own) { update in
                switch update {
                case .interim(let box): resolver.report(box)
                case .outcome(let outcome):
                    resolver.resolve(outcome)
                    stopTimer()
                }
            }
            let started = (scheduler ?? own).schedule(after: limit) {
                resolver.reject(PromiseError.timedOut(limit))
                observation.cancel()
            }
            timer.withLock { $0 = started }
            // The outcome may have come in between, on another thread.
            if resolver.isSettled { stopTimer() }
            resolver.onCancel {
                stopTimer()
                observation.cancel()
            }
        }
        return Promise(representation: limited.representation, leadingInterims: leadingInterims)
    }

    /// Delivers interim values and the outcome on `scheduler`, never before the call returns that settles or
    /// starts the promise (but see ``ImmediateScheduler``). Each is a piece of work of its own there.
    ///
    /// A value at the very start (see ``interim(_:)``) is shown where the observer is attached, unless that names
    /// a scheduler itself: `onInterim(on:)`.
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
