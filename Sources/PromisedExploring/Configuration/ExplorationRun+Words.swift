// Moves as they are written in scripts.
extension ExplorationRun {
    /// A move as it is written in a script; nil if it is impossible.
    func words(of move: Move) -> MoveWords? {
        switch move {
        case .send(let index): return index < driver.events ? .send(index) : nil
        case .act(let index): return .action(world.actions[index])
        case .answer(_, let choice):
            guard let call = call(of: move), choice < call.count else { return nil }
            return .answer(call.label, call.outcome(choice))
        case .tick, .between: return duration(of: move).map { .advance($0) }
        }
    }

    /// The move that these words mean in the current configuration; nil if it is impossible.
    func move(for words: MoveWords) -> Move? {
        switch words {
        case .send(let index): return .send(index)
        case .action(let name): return world.actions.firstIndex(of: name).map { .act($0) }
        case .answer(let label, let outcome):
            return answer(outcome) { $0.label == label }
        case .advance(let duration): return duration < .zero ? nil : .tick
        }
    }

    /// The move that answers the first matching call for which this outcome is left.
    func answer(_ outcome: String, where isMeant: (WorldCall) -> Bool) -> Move? {
        let order = configuration?.callOrder
        for (index, call) in moment.calls.enumerated() where isMeant(call) {
            guard let choice = call.choice(of: outcome) else { continue }
            return .answer(order?.firstIndex(of: index) ?? index, choice)
        }
        return nil
    }

    /// The call that a move answers.
    func call(of move: Move) -> WorldCall? {
        guard case .answer(let index, _) = move else { return nil }
        let (calls, order) = (moment.calls, configuration?.callOrder)
        guard calls.indices.contains(index), order.map({ $0.count == calls.count }) ?? true else {
            return nil
        }
        return calls[order?[index] ?? index]
    }
}
