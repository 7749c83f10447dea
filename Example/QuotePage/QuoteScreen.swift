import PromisedSources

/// Draws the model, and turns lines of input into calls of its actions.
struct QuoteScreen {
    let source: Source<QuoteModel>
    let print: (String) -> Void

    func draw(_ model: QuoteModel) {
        if let quote = model.quote { print("\"\(quote.quote)\"\n    — \(quote.author)") }
        if let problem = model.problem { print("Sorry: \(problem)") }
        print(model.next == nil ? "" : "[Enter] another quote   [q] quit")
    }

    /// - Returns: Whether the user continues.
    func receive(_ line: String) async -> Bool {
        guard line != "q" else { return false }
        guard let next = source.value.next else { return true }
        // From before the call, so that no change is missed.
        let models = source.values
        next()
        var wasLoading = false
        for await model in models {
            if wasLoading, !model.isLoading {
                draw(model)
                break
            }
            wasLoading = wasLoading || model.isLoading
        }
        return true
    }

    /// Waits until nothing is on its way.
    func drawWhenLoaded() async {
        let model = await source.values.first { !$0.isLoading }
        if let model { draw(model) }
    }
}
