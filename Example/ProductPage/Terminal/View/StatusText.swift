import ProductReading
import ToolSupport

extension TerminalView {
    /// The state in words, which colour only repeats.
    var status: [Line] {
        var texts = note == nil || state.isLoading ? messages : []
        if let note { texts.insert((note, .warning), at: 0) }
        let lines = texts.flatMap { Line.wrapped($0.0, to: width, $0.1) }
        // An empty line keeps the page from jumping.
        return lines.isEmpty ? gap : lines
    }

    private var messages: [(String, Style)] {
        switch state {
        case .start: [("Nothing is loaded. Press r to load, q to quit.", .plain)]
        case .loaded: []
        case .loading(_, .started): [("\(spinner) Loading… \(seconds)", .faint)]
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
    private func added(_ line: Cart.Line, _ page: ProductPage.Page) -> (String, Style) {
        if let soldOut = page.soldOut(line) {
            return ("✓ Added to the cart, but it is \(soldOut).", .warning)
        }
        if line.price == nil { return ("✓ Added to the cart, without a price.", .warning) }
        return ("✓ Added to the cart.", .good)
    }

    /// Ten pictures a second.
    static let tick = Duration.milliseconds(100)

    private var ticks: Int { Int(elapsed / Self.tick) }

    /// The space is one at which no line breaks.
    private var seconds: String { "\(ticks / 10).\(ticks % 10)\u{A0}s" }

    private var spinner: Character { Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")[ticks % 10] }
}
