/// The shortest known steps to a transition: from one state to another, or from one part of it to another, by one cause.
public struct ShortestPath<State: Sendable, Event: Sendable>: Sendable, CustomStringConvertible {
    /// The state, or the part of it, before the transition.
    public let from: String
    /// The state, or the part of it, after the transition.
    public let to: String
    /// The event, the outcome of a call, or `time`; empty where the state follows from the one before without a further
    /// step.
    public let cause: String
    /// The steps, each with the states and errors that followed from it.
    public let trace: [TraceEntry<State, Event>]

    /// The steps, for ``Explorer/replay(_:fileID:filePath:line:column:)-(Step<Event>...,_,_,_,_)``.
    public var steps: [Step<Event>] { trace.map(\.step) }

    /// The transition, and the steps that lead to it.
    public var description: String {
        "\(from) → \(to)\(cause.isEmpty ? "" : ", by \(cause)"):\n\n\(trace.story())"
    }
}

extension Exploration {
    /// The shortest steps to each transition between states that are different in a part, those with the fewest steps
    /// first. Explores again the first time, as ``diagram(cases:name:)`` does.
    ///
    /// <!-- fence: run -->
    /// ```swift
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// enum Door: Hashable { case open, closed, locked }
    ///
    /// let explorer = Explorer<Door, String>(events: ["push", "turn"]) { world in
    ///     System(initialState: .open, scheduler: world.scheduler, reducer: Reducer { door, event in
    ///         switch (door, event) {
    ///         case (.open, "push"): door = .closed
    ///         case (.closed, "turn"): door = .locked
    ///         case (.locked, "turn"): door = .closed
    ///         default: break
    ///         }
    ///     })
    /// }
    /// for path in explorer.check(depth: 5).shortestPaths(by: { $0 }) {
    ///     print(path.from, path.to, path.steps)
    /// }
    /// ```
    ///
    /// ```text output
    /// open closed [.send("push")]
    /// closed locked [.send("push"), .send("turn")]
    /// locked closed [.send("push"), .send("turn"), .send("turn")]
    /// ```
    ///
    /// - Parameter part: Returns the part of a state that makes a transition when it changes: of an enum its case
    ///   counts, of any other type its value.
    public func shortestPaths<Part>(by part: (State) -> Part) -> [ShortestPath<State, Event>] {
        let drawing = drawing.value
        let names = drawing.states.map { Self.name(of: part($0)) }
        var order: [[String]] = []
        var steps: [[String]: [StateGraph.TakenStep]] = [:]
        for (edge, taken) in zip(drawing.map.edges, drawing.map.steps) {
            let transition = [
                names[edge.from.state], names[edge.to.state], edge.cause.map(drawing.label) ?? "",
            ]
            if transition[0] == transition[1] { continue }
            if steps[transition] == nil { order.append(transition) }
            steps[transition, default: []] += taken
        }
        return order.map {
            ShortestPath(from: $0[0], to: $0[1], cause: $0[2], trace: drawing.trace(steps[$0] ?? []))
        }
        .enumerated().sorted { ($0.element.trace.count, $0.offset) < ($1.element.trace.count, $1.offset) }
        .map(\.element)
    }
}
