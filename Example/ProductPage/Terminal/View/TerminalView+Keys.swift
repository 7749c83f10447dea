extension TerminalView {
    /// Looks elsewhere, or says which event the page is to be sent. The system queues events, so none is held back
    /// here because something loads.
    mutating func perform(_ command: KeyCommand) -> ProductPage.Event? {
        note = nil
        switch command {
        case .add: return selectedIndex.map { .addLine(cart.lines[$0]) } ?? .add
        case .remove: return selectedIndex.map { .removeLine(cart.lines[$0]) } ?? .remove
        // One refresh in the queue is enough for a key that is held down.
        case .refresh where isRefreshing: note = "It is loading already."
        case .refresh:
            isRefreshing = true
            return .refresh
        case .next, .previous:
            open(.product)
            if state.page?.catalogue.products.count != 1 { return command == .next ? .next : .previous }
            note = "There is no other product."
        case .cancel where state.isLoading: return .cancel
        case .cancel: open(.product)
        case .cart: open(panel == .cart ? .product : .cart)
        case .help: open(panel == .help ? .product : .help)
        case .up where panel == .cart: select(by: -1)
        case .down where panel == .cart: select(by: 1)
        default: scroll(by: command)
        }
        return nil
    }

    private mutating func open(_ panel: Panel) {
        guard panel != self.panel else { return }
        (self.panel, scroll, selected) = (panel, 0, nil)
    }

    private mutating func scroll(by command: KeyCommand) {
        let window = window
        let page = max(1, window.room - 1)  // The last line stays in sight.
        let steps: [KeyCommand: Int] = [
            .up: -1, .down: 1, .pageUp: -page, .pageDown: page, .top: -window.range, .bottom: window.range,
        ]
        scroll = max(0, min(window.scroll + (steps[command] ?? 0), window.range))
    }

    private var selectedIndex: Int? { cart.lines.firstIndex { $0.id == selected } }

    /// Selects the next line of the cart, and shows it.
    private mutating func select(by step: Int) {
        guard !cart.lines.isEmpty else { return }
        let index = max(0, min((selectedIndex ?? -1) + step, cart.lines.count - 1))
        selected = cart.lines[index].id
        let (window, parts) = (window, cartParts)
        let above = parts.prefix(index + 1).joined().count
        // The total goes with the last line.
        let end = parts.prefix(index + 2 == parts.count - 1 ? parts.count : index + 2).joined().count
        scroll = min(above, max(window.scroll, end - window.room))
    }

    /// Shows another product from its top. Where the selected line was removed, selects the next one.
    mutating func stateChanged(from old: ProductPage.State) {
        note = nil
        if !state.isLoading { isRefreshing = false }
        if panel == .product, old.page?.product.id != state.page?.product.id { scroll = 0 }
        if selected != nil, selectedIndex == nil {
            let before = old.page?.cart?.lines.prefix { $0.id != selected } ?? []
            selected = (cart.lines.dropFirst(before.count).first ?? cart.lines.last)?.id
        }
        guard let from = old.page, let to = state.page, from.catalogue == to.catalogue else { return }
        let (ends, last) = ((from.index, to.index), to.catalogue.products.count - 1)
        if ends == (0, last), last > 1 { note = "That was the first product; this is the last." }
        if ends == (last, 0), last > 0 { note = "That was the last product; this is the first." }
    }
}
