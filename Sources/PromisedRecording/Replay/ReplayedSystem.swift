public import Promise
public import PromisedSystem

/// A system that is run again, without its types: the code for each turn is specialised for them.
@usableFromInline
struct ReplayedSystem: Sendable {
    /// An event that can be sent.
    @usableFromInline
    struct ReplayedEvent: Sendable {
        /// Whether the configuration of the system decides on its policy.
        let hasPolicy: Bool
        let send: @Sendable (EventPolicy?) -> Void
        /// Lets it arrive, for the owner of the loop.
        let arrive: @Sendable (EventPolicy?, _ isNoted: Bool) -> Void

        @usableFromInline
        init(
            hasPolicy: Bool, send: @escaping @Sendable (EventPolicy?) -> Void,
            arrive: @escaping @Sendable (EventPolicy?, Bool) -> Void
        ) {
            (self.hasPolicy, self.send, self.arrive) = (hasPolicy, send, arrive)
        }
    }

    @usableFromInline let event: @Sendable (any Sendable) -> ReplayedEvent?
    @usableFromInline let isDraining: @Sendable (_ isInTurn: Bool) -> Bool
    /// Performs an action as the owner of the loop.
    @usableFromInline let perform: @Sendable (@escaping @Sendable () -> Void) -> Void
    @usableFromInline let flush: @Sendable (EffectKey) -> Void
    @usableFromInline let dropQueuedEvents: @Sendable () -> Void
    @usableFromInline let stop: @Sendable () -> Void
    /// Errors are compared, and not reported.
    @usableFromInline let errors: SubscriptionToken

    @inlinable
    init<State, Event>(_ system: System<State, Event>) {
        let origin = Origin(#fileID, #line)
        event = { event in
            guard let event = event as? Event else { return nil }
            return ReplayedEvent(
                hasPolicy: system.policy(of: event) != nil,
                send: { system.sendEvent(event, policy: $0) },
                arrive: { system.arrive(event, policy: $0, at: origin, isNoted: $1) })
        }
        isDraining = { system.isDraining(isInTurn: $0) }
        perform = { system.perform($0) }
        flush = { system.flush($0) }
        dropQueuedEvents = { system.dropQueuedEvents() }
        stop = { system.stop() }
        errors = system.onError { _ in }
    }
}

/// Makes the probe of the system that is run again.
@usableFromInline
final class ReplayProbes<State: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let make: @Sendable (RecordedWork) -> LoopProbe<State, Event>

    @inlinable
    init(_ run: ReplayRun) { make = { work in LoopProbe(work) { run.note($0) } } }
}

extension JSONValue {
    /// The value as a type that is not known here.
    func decodeAny(
        _ type: any (Decodable & Sendable).Type, repairs: inout [String]
    ) throws(DecodingProblem) -> any Sendable {
        func decode<Value: Decodable & Sendable>(_ type: Value.Type) throws(DecodingProblem) -> any Sendable {
            try self.decode(type, repairs: &repairs)
        }
        return try decode(type)
    }
}
