package import Promise

/// A system that is run again, or an object that consists of one: what `Recording.run` of PromisedRecording needs of
/// it. A store of models and fetches make one of themselves.
public struct ReplayedSystem: Sendable {
    /// An event that can be sent.
    @usableFromInline
    package struct ReplayedEvent: Sendable {
        /// Whether the configuration of the system decides on its policy.
        package let hasPolicy: Bool
        package let send: @Sendable (EventPolicy?) -> Void
        /// Lets it arrive, for the owner of the loop.
        package let arrive: @Sendable (EventPolicy?, _ isNoted: Bool) -> Void

        @usableFromInline
        package init(
            hasPolicy: Bool, send: @escaping @Sendable (EventPolicy?) -> Void,
            arrive: @escaping @Sendable (EventPolicy?, Bool) -> Void
        ) {
            (self.hasPolicy, self.send, self.arrive) = (hasPolicy, send, arrive)
        }
    }

    /// Returns nil for a value of another type.
    @usableFromInline package let event: @Sendable (any Sendable) -> ReplayedEvent?
    @usableFromInline package let isDraining: @Sendable (_ isInTurn: Bool) -> Bool
    /// Performs an action as the owner of the loop.
    @usableFromInline package let perform: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Processes the delayed event of a key, or all of them.
    @usableFromInline package let flush: @Sendable (EffectKey?) -> Void
    /// Drops a pending event by its number.
    @usableFromInline package let drop: @Sendable (UInt32) -> Void
    @usableFromInline package let stop: @Sendable () -> Void
    /// Errors are compared, and not reported.
    @usableFromInline package let errors: SubscriptionToken
    /// Replaces the state, as something outside has written it; false for a value of another type. Nil for a system
    /// whose state is not written.
    package var write: (@Sendable (any Sendable) -> Bool)?
    /// Sends an event of the model at a place; false if there is none. The closure decodes it.
    package var post: (@Sendable (_ model: String, _ place: String, _ receivers: Int, Decode) throws -> Bool)?
    /// Decodes a recorded value as a type.
    package typealias Decode = (any (Decodable & Sendable).Type) throws -> any Sendable

    /// - Parameter prepare: Changes each event of the recording before it is sent.
    @inlinable
    package init<State, Event>(
        _ system: System<State, Event>, prepare: @escaping @Sendable (Event) -> Event = { $0 }
    ) {
        let origin = Origin(#fileID, #line)
        event = { event in
            guard let event = event as? Event else { return nil }
            return ReplayedEvent(
                hasPolicy: system.policy(of: event) != nil,
                send: { system.sendEvent(prepare(event), policy: $0) },
                arrive: { system.arrive(prepare(event), policy: $0, at: origin, isNoted: $1) })
        }
        isDraining = { system.isDraining(isInTurn: $0) }
        perform = { system.perform($0) }
        flush = { system.flush($0) }
        drop = { system.drop($0) }
        stop = { system.stop() }
        errors = system.onError { _ in }
    }
}

/// The state of an object in a recording whose events have a type that is not known elsewhere.
package protocol StateOfEvents {
    static var eventType: any (Decodable & Sendable).Type { get }
}
