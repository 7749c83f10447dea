extension TerminalView {
    /// What happens, in words: colour only repeats what they say.
    var status: [Line] {
        let notes = note.map { [($0, Ink.warning)] } ?? []
        let all = notes.isEmpty || state.isLoading ? notes + messages : notes
        let lines = all.flatMap { Line.wrapped($0.0, to: width, $0.1) }
        // An empty line keeps the page from jumping.
        return lines.isEmpty ? gap : lines
    }

    private var messages: [(String, Ink)] {
        switch state {
        case .start: [("Nothing is loaded. Press r to load, q to quit.", .plain)]
        case .loaded: []
        case .loading(_, .asked): [("\(spinner) Loading… \(seconds)", .faint)]
        case .loading(_, .slow): [("\(spinner) Still loading, \(seconds). Press Esc to cancel.", .warning)]
        case .added(let page, let line): [added(line, page)]
        case .removed: [("✓ Taken out of the cart.", .good)]
        case .missing(_, let line): [("Nothing to take out: \(line.name) is not in the cart.", .warning)]
        // It has words of its own, which speak of keys and not of events.
        case .failed(.nothingLoaded, _): [("Nothing is loaded yet. Press r to load, q to quit.", .warning)]
        case .failed(let error, _):
            [("Error: \(error)", .error), ("Press r to try again, q to quit.", .plain)]
        }
    }

    /// With what speaks against ordering it.
    private func added(_ line: Cart.Line, _ page: ProductPage.Page) -> (String, Ink) {
        let availability = line.id == page.line.id ? page.product.availability : nil
        let soldOut = availability.flatMap { $0.canBeOrdered ? nil : ", but it is \($0)" }
        let objection = soldOut ?? (line.price == nil ? ", without a price" : "")
        return ("✓ Added to the cart\(objection).", objection == "" ? .good : .warning)
    }

    /// Ten pictures a second.
    static let tick = Duration.milliseconds(100)

    /// The space is one at which no line breaks.
    private var seconds: String { "\(Int(elapsed / .seconds(1))).\(Int(elapsed / Self.tick) % 10)\u{A0}s" }

    private var spinner: Character { Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")[Int(elapsed / Self.tick) % 10] }
}
