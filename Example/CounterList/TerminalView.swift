import PromisedModels

/// Prints the application whenever something that it shows has changed.
struct TerminalView {
    let model: AppModel

    /// The present screen.
    var text: String {
        let rows = model.counters.enumerated().map { index, row in
            let alert = row.counter.alert.map { "  [\($0.title): \($0.message)]" } ?? ""
            return "  \(index + 1). \(row.counter.count)\(alert)"
        }
        let prompt = model.factPrompt.map { ["  > \($0.fact)"] } ?? []
        return (["Sum: \(model.sum)"] + rows + prompt).joined(separator: "\n")
    }

    /// Prints the present state, and every later one.
    ///
    /// - Returns: What ends that when it is released.
    func printing(to output: @escaping @Sendable (String) -> Void) -> SubscriptionToken {
        model.source(of: \.self).map { _ in text }.removeDuplicates().subscribe { output($0) }
    }
}

extension TerminalView: Sendable {}
