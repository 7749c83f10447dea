/// What happens, in words: colour only repeats what they say.
enum StatusText {
    /// Where nothing happens, an empty line keeps the page from jumping.
    static func lines(_ state: ProductPage.State, _ elapsed: Duration, _ columns: Int) -> [Line] {
        let width = min(columns, ProductPanel.widestText)
        func wrapped(_ text: String, _ ink: Ink) -> [Line] {
            text.cut.wrapped(to: width).map { Line($0, ink) }
        }
        switch state {
        case .start, .loaded: return [Line()]
        case .loading(_, .asked):
            return wrapped("\(spinner(elapsed)) Loading… \(seconds(elapsed))", .faint)
        case .loading(_, .slow):
            return wrapped(
                "\(spinner(elapsed)) Still loading, \(seconds(elapsed)). Press Esc to cancel.", .warning)
        case .added: return wrapped("✓ Added to the cart.", .good)
        case .removed: return wrapped("✓ Taken out of the cart.", .good)
        // These two have words of their own, which speak of keys and not of events.
        case .failed(.cancelled, _): return wrapped("Cancelled. Press r to load, q to quit.", .warning)
        case .failed(.nothingLoaded, _):
            return wrapped("Nothing is loaded yet. Press r to load, q to quit.", .warning)
        case .failed(let error, let page):
            let rest = page == nil ? "" : "The page is as it was before. "
            return wrapped("Error: \(error)", .error)
                + wrapped(rest + "Press r to try again, q to quit.", .plain)
        }
    }

    /// Ten pictures a second.
    static let tick = Duration.milliseconds(100)

    private static func spinner(_ elapsed: Duration) -> Character {
        let pictures: [Character] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
        return pictures[Int(elapsed / tick) % pictures.count]
    }

    private static func seconds(_ elapsed: Duration) -> String {
        let tenths = Int(elapsed / tick)
        // The space is one at which no line breaks.
        return "\(tenths / 10).\(tenths % 10)\u{A0}s"
    }
}
