/// What somebody at the terminal can ask for. The one table of keys: the page's foot, its help and the tests
/// are made from it.
enum KeyCommand: CaseIterable, Sendable {
    case add, remove, refresh, next, previous, cart, help, quit, cancel
    case up, down, pageUp, pageDown, top, bottom, redraw

    /// The command of a key, in either case of its letter.
    init?(_ key: Key) {
        let key =
            if case .character(let character) = key, let lower = character.lowercased().first {
                Key.character(lower)
            } else { key }
        guard let command = Self.allCases.first(where: { $0.keys.contains(key) }) else { return nil }
        self = command
    }

    var keys: [Key] {
        switch self {
        case .add: [.character("a"), .character("+")]
        case .remove: [.character("d"), .character("-"), .delete]
        case .refresh: [.character("r")]
        case .next: [.character("n"), .right]
        case .previous: [.character("p"), .left]
        case .cart: [.character("c")]
        case .help: [.character("?"), .character("h")]
        case .quit: [.character("q"), .control("d")]
        case .cancel: [.escape]
        case .up: [.up, .character("k")]
        case .down: [.down, .character("j")]
        case .pageUp: [.pageUp, .character("b")]
        case .pageDown: [.pageDown, .character(" ")]
        case .top: [.home]
        case .bottom: [.end]
        case .redraw: [.control("l")]
        }
    }

    /// Whether it does nothing while something loads.
    var waitsForLoading: Bool {
        switch self {
        case .add, .remove, .refresh, .next, .previous: true
        default: false
        }
    }

    /// What the page's foot says, with the first of its keys.
    var name: String {
        switch self {
        case .add: "add"
        case .remove: "remove"
        case .refresh: "refresh"
        case .next: "next"
        case .previous: "prev"
        case .cart: "cart"
        case .help: "help"
        case .quit: "quit"
        case .cancel: "cancel"
        default: ""
        }
    }

    /// What the help says.
    var purpose: String {
        switch self {
        case .add: "put one piece into the cart"
        case .remove: "take one piece out of the cart"
        case .refresh: "load everything again"
        case .next: "the next product"
        case .previous: "the previous product"
        case .cart: "show the cart, or the product again"
        case .help: "show the keys, or the product again"
        case .quit: "end; Ctrl-C does so as well"
        case .cancel: "cancel what is loading; or back to the product"
        case .up: "scroll up"
        case .down: "scroll down"
        case .pageUp: "scroll up a screen"
        case .pageDown: "scroll down a screen"
        case .top: "scroll to the top"
        case .bottom: "scroll to the end"
        case .redraw: "redraw the screen"
        }
    }
}

extension Key {
    /// What is printed on it.
    var name: String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .control(let character): "Ctrl-\(character.uppercased())"
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .enter: "Enter"
        case .tab: "Tab"
        case .backspace: "Backspace"
        case .delete: "Del"
        case .escape: "Esc"
        }
    }
}
