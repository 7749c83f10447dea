import ProductCommands
import ProductReading
import ToolSupport

extension TerminalView {
    /// Looks elsewhere, or says which event the page is to be sent. The system queues events, so none is held back
    /// here because something loads.
    mutating func perform(_ command: KeyCommand) -> ProductPage.Event? {
        note = nil
        switch command {
        case .add: return selectedLine.map { .addLine($0) } ?? .add
        case .remove: return selectedLine.map { .removeLine($0) } ?? .remove
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
        case .list: openList(panel == .list ? .product : .list)
        case .search:
            openList(.list)
            if state.page != nil { query = "" }
        case .choose:
            guard panel == .list, let id = selected?.first else { return nil }
            hasChosen = true
            open(.product)
            return .show(id)
        case .up where panel == .cart || panel == .list: select(by: -1)
        case .down where panel == .cart || panel == .list: select(by: 1)
        default: scroll(by: command)
        }
        return nil
    }

    private mutating func open(_ panel: Panel) {
        guard panel != self.panel else { return }
        (self.panel, scroll, selected, query) = (panel, 0, nil, nil)
    }

    /// The list begins with the product in view.
    private mutating func openList(_ panel: Panel) {
        open(panel)
        guard panel == .list, selected == nil, let product = state.page?.product else { return }
        selected = [product.id]
        select(by: 0)
    }

    /// Takes a key as text while something is to be found.
    ///
    /// - Returns: The command that is left of it; nil where it is none.
    mutating func command(of key: String) -> KeyCommand? {
        guard let query else { return KeyCommand(key: key) }
        switch key {
        case "Enter", "Esc":
            self.query = nil
            return key == "Enter" ? .choose : nil
        case "Backspace": self.query = query.isEmpty ? nil : String(query.dropLast())
        case "Space": self.query = query + " "
        case "↑", "↓": return KeyCommand(key: key)
        case "→", "←", "Del": return nil
        case _ where key.count == 1: self.query = query + key
        default: return KeyCommand(key: key)
        }
        (scroll, selected) = (0, listed.first.map { [$0.id] })
        return nil
    }

    private mutating func scroll(by command: KeyCommand) {
        let window = window
        let page = max(1, window.room - 1)  // The last line stays in sight.
        let steps: [KeyCommand: Int] = [
            .up: -1, .down: 1, .pageUp: -page, .pageDown: page, .top: -window.range, .bottom: window.range,
        ]
        scroll = max(0, min(window.scroll + (steps[command] ?? 0), window.range))
    }

    private var selectedIndex: Int? { rowIDs.firstIndex { $0 == selected } }

    private var selectedLine: Cart.Line? {
        if panel == .cart { return selectedIndex.map { cart.lines[$0] } }
        guard panel == .list, let index = selectedIndex, let page = state.page else { return nil }
        return Cart.Line(listed[index], from: page.catalogue.id)
    }

    /// Selects the next line of the cart or the list, and shows it.
    private mutating func select(by step: Int) {
        let ids = rowIDs
        guard !ids.isEmpty else { return }
        let index = max(0, min((selectedIndex ?? -1) + step, ids.count - 1))
        selected = ids[index]
        let (window, parts) = (window, rowParts)
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
        if panel == .cart, selected != nil, selectedIndex == nil {
            let before = old.page?.cart?.lines.prefix { $0.id != selected } ?? []
            selected = (cart.lines.dropFirst(before.count).first ?? cart.lines.last)?.id
        }
        guard let from = old.page, let to = state.page, from.catalogue == to.catalogue, !hasChosen else {
            hasChosen = false
            return
        }
        let (ends, last) = ((from.index, to.index), to.catalogue.products.count - 1)
        if ends == (0, last), last > 1 { note = "That was the first product; this is the last." }
        if ends == (last, 0), last > 0 { note = "That was the last product; this is the first." }
    }
}
