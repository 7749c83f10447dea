/// A command of a user at the terminal. The one table of keys: the page's foot, its help and the tests
/// are made from it.
package enum KeyCommand: CaseIterable, Sendable {
    case add, remove, refresh, next, previous, cart, list, search, choose, help, quit, cancel
    case up, down, pageUp, pageDown, top, bottom, redraw

    /// The command of a key, in either case of its letter.
    package init?(key: String) {
        let command = Self.allCases.first { $0.keys.contains(key.count == 1 ? key.lowercased() : key) }
        guard let command else { return nil }
        self = command
    }

    /// As they are printed on the keyboard, the one that the page's foot shows first.
    package var keys: [String] { row.keys.split(separator: " ").map(String.init) }

    /// - Returns: The keys, what the page's foot says, and what the help says.
    package var row: (keys: String, label: String, purpose: String) {
        switch self {
        case .add: ("a +", "add", "put one piece of the product or the selected line into the cart")
        case .remove: ("d - Del", "remove", "take one piece out of the cart, of the same")
        case .refresh: ("r", "refresh", "load everything again")
        case .next: ("n →", "next", "the next product")
        case .previous: ("p ←", "prev", "the previous product")
        case .cart: ("c", "cart", "show the cart, or the product again")
        case .list: ("l", "list", "show the products, or the product again")
        case .search: ("/", "find", "find products by a part of a name or an id")
        case .choose: ("Enter", "show", "in the list, show the selected product")
        case .help: ("? h", "help", "show the keys, or the product again")
        case .quit: ("q Ctrl-D", "quit", "end; Ctrl-C does so as well")
        case .cancel: ("Esc", "cancel", "cancel what is loading; or back to the product")
        case .up: ("↑ k", "up", "scroll up; in the cart or the list, select the line above")
        case .down: ("↓ j", "select", "scroll down; in the cart or the list, select the line below")
        case .pageUp: ("PgUp b", "", "scroll up a screen")
        case .pageDown: ("PgDn Space", "", "scroll down a screen")
        case .top: ("Home", "", "scroll to the top")
        case .bottom: ("End", "", "scroll to the end")
        case .redraw: ("Ctrl-L", "", "redraw the screen")
        }
    }
}
