/// Draws the page: a function of the state, of what the person looks at, of the screen's size, and of the time
/// that something has been loading.
struct TerminalView: Sendable {
    var state: ProductPage.State
    var presentation = Presentation()
    var size: ScreenSize
    var elapsed: Duration = .zero

    /// The panel above; below, what happens, what is in the cart, and the keys.
    var frame: Frame {
        let (panel, foot) = (panel, foot)
        let window = Window(lines: panel.count, rows: size.rows - foot.count, scroll: presentation.scroll)
        var shown = Array(panel[window.visible])
        shown += Array(repeating: Line(), count: window.rows - shown.count)
        if let position = window.position { shown[window.rows - 1] = Line(position, .faint) }
        return Frame(size: size, lines: shown + foot)
    }

    /// How the panel is scrolled.
    var window: Window {
        Window(lines: panel.count, rows: size.rows - foot.count, scroll: presentation.scroll)
    }

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
        let cart = presentation.panel == .cart ? [] : CartPanel.summary(state.page?.cart, size.columns)
        let keys = KeyLine.line(state, presentation.panel, size.columns)
        var foot = Array(status)
        if size.rows - foot.count - cart.count >= 4 { foot = cart + foot }
        if size.rows - foot.count >= 4 { foot.append(keys) }
        if size.rows - foot.count >= 6 { foot.insert(Line(), at: 0) }
        return foot
    }
}
