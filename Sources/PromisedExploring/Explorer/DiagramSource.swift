/// The states and transitions that a diagram shows.
struct DiagramSource<State: Sendable, Event: Sendable>: Sendable {
    let map: StateMap
    /// The states by their numbers.
    let states: [State]
    let events: [Event]
    /// The names of the actions of the world.
    let actions: [String]
    /// Executes the shortest path whose last step is one of these.
    let trace: @Sendable ([StateGraph.TakenStep]) -> [TraceEntry<State, Event>]

    /// The state shown at the start; nil where the system cannot be observed.
    var start: PathRecord.Showing? { map.start.flatMap { states.indices.contains($0.state) ? $0 : nil } }
}
