/// What the person at the terminal looks at: which panel, and how far it is scrolled.
///
/// It is no part of the page's state: to open the help is nothing that happens to the product, and must not
/// wait in line behind a load.
struct Presentation: Sendable, Equatable {
    enum Panel: Sendable, Equatable {
        case product, cart, help
    }

    /// What follows from a command beside the change of the presentation.
    enum Reaction: Sendable, Equatable {
        /// Nothing, or only another look at the same state.
        case look
        case send(ProductPage.Event)
        case redraw
        case quit
    }

    var panel = Panel.product
    /// The lines that are above the screen.
    var scroll = 0

    /// - Parameters:
    ///   - isBusy: Whether something is loading, which is what Esc is for first. What would have to wait for
    ///     it is not asked for: it would happen later, to a page that nobody has seen yet, or after Esc.
    ///   - window: The part of the panel that is on the screen.
    mutating func react(to command: KeyCommand, isBusy: Bool, _ window: Window) -> Reaction {
        switch command {
        case _ where isBusy && command.waitsForLoading: return .look
        case .add: return .send(.add)
        case .remove: return .send(.remove)
        case .refresh: return .send(.refresh)
        case .next, .previous:
            open(.product)
            return .send(command == .next ? .next : .previous)
        case .cancel where isBusy: return .send(.cancel)
        case .cancel: open(.product)
        case .cart: open(panel == .cart ? .product : .cart)
        case .help: open(panel == .help ? .product : .help)
        case .quit: return .quit
        case .redraw: return .redraw
        case .up: scroll(by: -1, window)
        case .down: scroll(by: 1, window)
        case .pageUp: scroll(by: -window.step, window)
        case .pageDown: scroll(by: window.step, window)
        case .top: scroll = 0
        case .bottom: scroll = window.range
        }
        return .look
    }

    /// Another product is read from its top.
    mutating func follow(_ old: ProductPage.State?, _ new: ProductPage.State) {
        if panel == .product, old?.page?.product.id != new.page?.product.id { scroll = 0 }
    }

    private mutating func open(_ panel: Panel) {
        guard panel != self.panel else { return }
        self = Presentation(panel: panel)
    }

    private mutating func scroll(by lines: Int, _ window: Window) {
        scroll = max(0, min(window.scroll + lines, window.range))
    }
}
