public import PromisedSystem

extension Store {
    /// The store, to be run again from a recording:
    ///
    /// ```swift
    /// import PromisedModels
    /// import PromisedRecording
    ///
    /// struct Counter: Model {
    ///     struct State: Codable, Equatable { var count = 0 }
    ///     let context: ModelContext<Counter>
    /// }
    ///
    /// func check(_ recording: Recording) throws {
    ///     let result = try recording.run(Counter.State.self, as: "counter") { start in
    ///         Store<Counter>(initialState: start.state, scheduler: start.scheduler).replayed
    ///     }
    ///     print(result)
    /// }
    /// ```
    ///
    /// For that, record the store from the activation of its first model on: see ``DependencyValues/record(by:as:)``.
    public var replayed: ReplayedSystem {
        var replayed = ReplayedSystem(memory.system)
        replayed.write = { [self] state in
            guard let state = state as? Root.RootState else { return false }
            replace(state)
            return true
        }
        replayed.post = { [self] name, place, receivers, decode in
            let tree = lifetime.tree
            let node = tree.gate.withGate { tree.nodes.first { $0.name == name && $0.placeText == place } }
            return try node?.anyModel.post(to: EventReceivers(rawValue: receivers), decode) ?? false
        }
        return replayed
    }
}

extension Model {
    fileprivate func post(to receivers: EventReceivers, _ decode: ReplayedSystem.Decode) throws -> Bool {
        guard let type = Event.self as? any (Decodable & Sendable).Type,
            let event = try decode(type) as? Event
        else { return false }
        send(event, to: receivers)
        return true
    }
}
