internal import Promise

// Concurrent work derived from the state, each under its own key.
extension Feedback {
    /// Keeps work running for each request in a set derived from the state: starts added requests, cancels removed
    /// ones, and leaves the others running.
    ///
    /// - Parameters:
    ///   - requests: Returns the requests that should be running.
    ///   - effects: Creates the work for one request.
    @inlinable
    public static func react<Request: Sendable & Hashable>(
        requests: @escaping @Sendable (State) -> Set<Request>,
        @EffectBuilder<Event> effects: @escaping @Sendable (Request) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        Feedback(Origin(file, line), accepts: .states, skipsRepeated: true) { context in
            let order = StableOrder<Request>()
            return { input in
                let requests = requests(input.state)
                let wanted = order.update(requests) { requests.contains($0) }.map { request in
                    let key = EffectKey(request)
                    return EffectPlan(key, occasion: context.occasion(of: request, key)) {
                        context.begin(effects(request), $0)
                    }
                }
                return .keep(Requests(wanted))
            }
        }
    }

    /// Keeps work running for each key of a dictionary derived from the state, and restarts it when the request under
    /// the key changes.
    ///
    /// - Parameters:
    ///   - requests: Returns the requests that should be running, by key.
    ///   - effects: Creates the work for one request.
    public static func react<ID: Sendable & Hashable, Request: Sendable & Equatable>(
        requests: @escaping @Sendable (State) -> [ID: Request],
        @EffectBuilder<Event> effects: @escaping @Sendable (ID, Request) -> some EffectSource<Event>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Feedback {
        Feedback(Origin(file, line), accepts: .states, skipsRepeated: true) { context in
            let revisions = Revisions<ID, Request>()
            return { input in
                let wanted = revisions.update(requests(input.state)).map { id, request, revision in
                    EffectPlan(
                        EffectKey(id), revision: .count(revision), occasion: context.occasion(of: request)
                    ) {
                        context.begin(effects(id, request), $0)
                    }
                }
                return .keep(Requests(wanted))
            }
        }
    }

    /// Keeps work running for each key of a dictionary derived from the state, and delivers changes of the request to
    /// the running work instead of restarting it.
    ///
    /// - Parameters:
    ///   - requests: Returns the requests that should be running, by key.
    ///   - delivery: Whether changes are delivered immediately, debounced or throttled. Only delivery is delayed: the
    ///     state has each value immediately.
    ///   - effects: Creates the work, given the key, the first request and a stream of the later ones; the stream ends
    ///     with the work.
    public static func react<ID: Sendable & Hashable, Request: Sendable & Equatable>(
        requests: @escaping @Sendable (State) -> [ID: Request], delivery: UpdateDelivery = .immediate,
        @EffectBuilder<Event> effects:
            @escaping @Sendable (ID, Request, AsyncStream<Request>) -> some EffectSource<Event>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Feedback {
        Feedback(Origin(file, line), accepts: .states, skipsRepeated: true) { context in
            let revisions = Revisions<ID, Request>()
            // Accessed only by the owner of the loop, so it can be copied, searched and written back outside the lock.
            let channels = Lock<[ID: UpdateChannel<Request>]>([:])
            return { input in
                let requests = requests(input.state)
                let before = channels.withLock { $0 }
                if before.count > requests.count {
                    channels.exchange(for: before.filter { requests[$0.key] != nil })
                }
                let wanted = revisions.update(requests).map { id, request, revision in
                    EffectPlan(
                        EffectKey(id), revision: .count(revision),
                        update: { channels.withLock { $0 }[id]?.deliver(request) }
                    ) { run in
                        let (stream, continuation) = AsyncStream.makeStream(of: Request.self)
                        let channel = UpdateChannel(delivery, continuation, on: context.scheduler(of: run))
                        var present = channels.exchange(for: [:])
                        present[id] = channel
                        channels.exchange(for: present)
                        let work = effects(id, request, stream).effect
                        context.begin(work.finishing { channel.finish() }, run)
                    }
                }
                return .keep(Requests(wanted))
            }
        }
    }
}

extension Effect {
    /// This effect, with a closure that is called when the work finishes or is cancelled: it ends a stream that the
    /// work reads.
    func finishing(_ finish: @escaping @Sendable () -> Void) -> Effect {
        Effect { effect in
            effect.onCancel(finish)
            let part = SubEffect { error, last in
                finish()
                effect.end(error, last)
            }
            begin(EffectHandle(run: effect.run, context: effect.context, part: part))
        }
    }
}

/// The last request under each key, and the number of times it has changed.
///
/// Accessed only by the owner of the loop, so requests are compared outside the lock.
private final class Revisions<ID: Sendable & Hashable, Request: Sendable & Equatable>: Sendable {
    private let last = Lock<[ID: (request: Request, revision: Int)]>([:])
    private let order = StableOrder<ID>()

    func update(_ requests: [ID: Request]) -> [(ID, Request, Int)] {
        let ids = order.update(requests.keys) { requests[$0] != nil }
        let before = last.withLock { $0 }
        var next: [ID: (request: Request, revision: Int)] = [:]
        for (id, request) in requests {
            let revision =
                before[id].map { areSame($0.request, request) ? $0.revision : $0.revision + 1 } ?? 0
            next[id] = (request, revision)
        }
        last.exchange(for: next)
        return ids.compactMap { id in next[id].map { (id, $0.request, $0.revision) } }
    }
}
