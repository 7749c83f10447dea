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
    ///   - isBusy: Whether something is loading, which is what Esc is for first.
    ///   - range: How far the panel can be scrolled.
    ///   - page: How many of its lines are on the screen.
    mutating func react(to command: KeyCommand, isBusy: Bool, range: Int, page: Int) -> Reaction {
        switch command {
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
        case .up: move(by: -1, range)
        case .down: move(by: 1, range)
        case .pageUp: move(by: -page, range)
        case .pageDown: move(by: page, range)
        case .top: scroll = 0
        case .bottom: scroll = range
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

    private mutating func move(by lines: Int, _ range: Int) {
        scroll = max(0, min(min(scroll, range) + lines, range))
    }
}
