/// Draws the page: a function of the state, of what the person looks at, of the screen's size, and of the time
/// that something has been loading.
struct PageView: Sendable {
    var state: ProductPage.State
    var presentation = Presentation()
    var size: ScreenSize
    var elapsed: Duration = .zero

    /// The panel above; below, what happens, what is in the cart, and the keys.
    var frame: Frame {
        let (panel, foot) = (panel, foot)
        let rows = size.rows - foot.count
        let scroll = min(presentation.scroll, max(0, panel.count - rows))
        var shown = Array(panel.dropFirst(scroll).prefix(rows))
        let isMore = panel.count - scroll > rows
        shown += Array(repeating: Line(), count: rows - shown.count)
        if isMore || scroll > 0, rows > 1 { shown[rows - 1] = position(scroll, rows, panel.count) }
        return Frame(size: size, lines: shown + foot)
    }

    /// How far the panel can be scrolled.
    var range: Int { max(0, panel.count - (size.rows - foot.count)) }

    /// The lines of the panel that are on the screen; scrolling by a screen keeps the last one in sight.
    var rows: Int { max(1, size.rows - foot.count - 2) }

    private var panel: [Line] {
        switch presentation.panel {
        case .product: ProductPanel.lines(state, size.columns)
        case .cart: CartPanel.lines(state.page?.cart ?? Cart(), size.columns)
        case .help: HelpPanel.lines(size.columns)
        }
    }

    /// On a low screen the keys give way first, then the cart, and what happens is cut before it fills the
    /// screen: something of the panel is always there, unless there is a single row.
    private var foot: [Line] {
        let status = StatusText.lines(state, elapsed, size.columns).prefix(max(1, size.rows / 2))
        let cart = CartPanel.summary(state.page?.cart, size.columns)
        let keys = KeyLine.line(state, presentation.panel, size.columns)
        var foot = Array(status)
        if size.rows - foot.count - cart.count >= 4 { foot = cart + foot }
        if size.rows - foot.count >= 4 { foot.append(keys) }
        if size.rows - foot.count >= 6 { foot.insert(Line(), at: 0) }
        return foot
    }

    /// In place of the last row of the panel: that there is more, and where.
    private func position(_ scroll: Int, _ rows: Int, _ count: Int) -> Line {
        let below = count - scroll - (rows - 1)
        let arrows = (scroll > 0 ? "↑" : "") + (below > 0 ? "↓" : "")
        return Line("\(arrows) \(below > 0 ? "\(below) more lines" : "the end")", .faint)
    }
}
