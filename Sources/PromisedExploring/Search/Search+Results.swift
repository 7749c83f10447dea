extension Search {
    /// A path as it is written in a script.
    func words(for steps: [TakenStep]) -> [MoveWords] {
        let run = makeRun()
        return steps.compactMap { step in
            let move = graph.move(of: step)
            run.name = step.node
            defer { run.take(move) }
            return run.words(of: move)
        }
    }

    /// Why the exploration is not complete.
    func gaps(_ findings: Findings, hasCounterexample: Bool) -> [Gap] {
        let limits = statistics.limit.map { [$0.gap] } ?? []
        if hasCounterexample { return [.violation] + limits }
        let isCut = graph.isCut
        return (limits.isEmpty && isCut ? [.depth(graph.limit)] : limits) + findings.gaps(isCut: isCut)
    }

    /// The shortest path whose last step is one of these.
    func shortestPath(over steps: [TakenStep]) -> [TakenStep] {
        steps.min { graph.distance(of: $0.node) < graph.distance(of: $1.node) }
            .map { graph.path(to: $0.node).steps + [$0] } ?? []
    }

    /// The parts of up to 200 configurations, those that differ most often first.
    func parts() -> [ConfigurationPart] {
        guard findings.numbers != nil else { return [] }
        let nodes = stride(from: 0, to: graph.count, by: max((graph.count + 199) / 200, 1))
        let all = nodes.map { parts(at: graph.path(to: $0).steps).words }
        return Set(all.flatMap(\.keys)).map { name in
            ConfigurationPart(name: name, values: Set(all.map { $0[name] }).count, configurations: all.count)
        }
        .filter { $0.values > 1 }
        .sorted { ($1.values, $0.name) < ($0.values, $1.name) }
    }
}
