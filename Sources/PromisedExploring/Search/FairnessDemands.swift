/// The notes of a search for the properties of every fair path.
struct FairnessDemands: Sendable {
    struct Obligations: Sendable {
        /// The indices of the demands that have still to be fulfilled.
        let owed: Set<Int>
        /// Whether the clock can be advanced.
        let timePasses: Bool
        /// The number of calls for whose end something may wait.
        let calls: Int
    }

    /// The names of the properties.
    let properties: [String]
    var nodes: [Obligations] = []
    /// By step, for each call before it, the index of that call after it; nil if it is over.
    var calls: [StateGraph.TakenStep: [Int?]] = [:]

    /// The size of the entries.
    var bytes: Int {
        nodes.count * MemoryLayout<Obligations>.stride
            + calls.count * (MemoryLayout<StateGraph.TakenStep>.stride + MemoryLayout<[Int?]>.stride)
    }

    /// nil if there is no such property.
    init?(_ start: ExplorationRun) {
        properties = start.world.monitors.demands.map(\.property)
        if properties.isEmpty { return nil }
        add(start)
    }

    private mutating func add(_ run: ExplorationRun) {
        let demands = run.world.monitors.demands
        nodes.append(
            Obligations(
                owed: Set(demands.indices.filter { demands[$0].isOwed }), timePasses: run.canAdvance,
                calls: run.pendingCalls.count))
    }

    /// The index of a call after a step; nil if it is over.
    func place(of call: Int, after edge: StateGraph.TakenStep) -> Int? {
        guard let calls = calls[edge], calls.indices.contains(call) else { return nil }
        return calls[call]
    }

    /// Notes a step that was executed.
    ///
    /// - Parameter before: The numbers of the calls before it.
    mutating func note(_ edge: StateGraph.TakenStep, to node: Int, before: [Int], _ run: ExplorationRun) {
        if node == nodes.count { add(run) }
        let after = run.pendingCalls
        calls[edge] = before.map { after.firstIndex(of: $0) }
    }
}
