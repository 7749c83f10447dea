package import Promise

/// The calls of endpoints that are in flight, of all systems.
package enum RunningCalls {
    private struct RunningCall: Sendable {
        let name: String
        let origin: Origin
        let scheduler: any SerialScheduler
        let startedAt: Duration
    }

    private struct Calls: Sendable {
        var last = 0
        var open: [Int: RunningCall] = [:]
    }

    private static let calls = Lock(Calls())

    /// Lists a call until its promise is settled or cancelled. One that is fulfilled is not listed.
    static func listing<Input, Output>(
        _ call: EndpointCall<Input, Output>, _ promise: Promise<Output>
    ) -> Promise<Output> {
        if promise.fulfilledValue != nil { return promise }
        let running = RunningCall(
            name: call.name, origin: call.origin, scheduler: call.scheduler, startedAt: call.scheduler.now)
        let number = calls.withLock { calls in
            calls.last += 1
            calls.open[calls.last] = running
            return calls.last
        }
        return promise.ensure { remove(number) }
    }

    private static func remove(_ number: Int) {
        let call = calls.withLock { $0.open.removeValue(forKey: number) }
        // The scheduler may be released here, and not under the lock.
        withExtendedLifetime(call) {}
    }

    /// The calls on a scheduler and on its wrappers, in the order in which they were started.
    package static func running(on scheduler: any SerialScheduler) -> [Running] {
        let open = calls.withLock { $0.open }.sorted { $0.key < $1.key }
        return open.map(\.value).filter { $0.scheduler.unwrapped === scheduler.unwrapped }.map { call in
            Running(.call, call.name, at: call.origin, for: call.scheduler.now - call.startedAt)
        }
    }
}
