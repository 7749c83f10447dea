import ProductCommands
import ProductReading
import ToolSupport

/// The screen of a user: the state, and the visible part of it. `frame` draws it.
///
/// Panel, scrolling and selection are no part of the page's state: to open the help is nothing that happens to
/// the product, and must not wait in line behind a load.
struct TerminalView: Sendable {
    enum Panel: Sendable, CaseIterable { case product, cart, list, help }

    var state = ProductPage.State.start { didSet { stateChanged(from: oldValue) } }
    var size: ScreenSize
    /// How long something has been loading.
    var elapsed = Duration.zero
    var panel = Panel.product
    /// The lines that are above the screen.
    var scroll = 0
    /// The line of the cart, or the product of the list, that keys are about; without one they are about the product
    /// in view.
    var selected: [String]?
    /// The text to find products by; nil while keys are commands.
    var query: String?
    /// Whether the next product was chosen, and is no neighbour.
    var hasChosen = false
    /// A remark about the last key, beside the state.
    var note: String?
    /// Whether a key has requested a refresh and the page has not come to rest since.
    var isRefreshing = false

    var cart: Cart { state.page?.cart ?? Cart() }
    /// Wider lines are hard to read.
    var width: Int { min(size.columns, 100) }
    /// Where text begins behind labels: there is a column for those where there is room for one.
    func indent(_ columns: Int) -> Int { width >= 40 ? columns : 2 }
    /// An empty line, where there are rows to spare.
    var gap: [Line] { size.rows < 10 ? [] : [Line()] }

    /// As many lines as the screen has rows: the panel; and below, the status, the cart, the keys.
    var frame: [Line] {
        let (window, footer) = (window, footer)
        let lines = window.visible
        return lines + Array(repeating: Line(), count: size.rows - footer.count - lines.count) + footer
    }

    /// The part of the panel that the screen has room for.
    var window: Window {
        Window(lines: panelLines, rows: size.rows - footer.count, top: scroll, width: width)
    }

    private var isTooSmall: Bool { size.columns < 12 || size.rows < 2 }

    private var panelLines: [Line] {
        if isTooSmall { return Line.wrapped("The window is too small.", to: width) }
        return switch panel {
        // The status stands here in full where the footer has no room for it.
        case .product: (isStatusLong ? status + gap : []) + productPanel
        case .cart, .list: rowParts.flatMap { $0 }
        case .help: helpPanel
        }
    }

    private var isStatusLong: Bool { status.count > max(1, size.rows / 2) }

    /// On a low screen the keys give way first, then the cart, and what happens before it fills the screen:
    /// something of the panel is always there.
    private var footer: [Line] {
        if isTooSmall { return [] }
        var footer = isStatusLong ? Array(status.prefix(1)) : status
        let cart = panel == .cart ? [] : cartSummary
        if size.rows - footer.count - cart.count >= 4 { footer = cart + footer }
        if size.rows - footer.count >= 4 { footer.append(keyLine) }
        if size.rows - footer.count >= 6 { footer.insert(Line(), at: 0) }
        return footer
    }

    /// The keys that matter now, as many as a line has room for.
    private var keyLine: Line {
        var wanted: [KeyCommand] = [.quit, .help] + (state.isLoading ? [.cancel] : [])
        wanted +=
            panel == .cart && !cart.lines.isEmpty ? [.down] : panel == .list ? [.choose, .search, .list] : []
        wanted += state.page == nil ? [.refresh] : [.add, .remove, .next, .previous, .cart, .refresh]
        wanted += state.page.map { $0.catalogue.products.count > 1 } == true ? [.list] : []
        // Keys are text meanwhile.
        if query != nil { wanted = [.choose, .cancel] }
        // The most important find room first; they stand in the order in which they always do.
        while keyLine(wanted).width > size.columns { wanted.removeLast() }
        return keyLine(wanted)
    }

    private func keyLine(_ commands: [KeyCommand]) -> Line {
        KeyCommand.allCases.filter(commands.contains).reduce(Line()) { line, command in
            // A key that opens a panel also closes it.
            let closes = [.cart: .cart, .list: .list, .help: .help][command] == panel
            return line.adding(line.width == 0 ? "" : "  ").adding(command.keys[0], .key)
                .adding(" " + (closes ? "back" : command.row.label))
        }
    }
}

extension ProductPage.State {
    var isLoading: Bool { if case .loading = self { true } else { false } }
}
