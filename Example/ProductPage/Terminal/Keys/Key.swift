/// A key that was pressed, as far as the page knows it.
enum Key: Sendable, Hashable {
    case character(Character)
    case up, down, left, right, home, end, pageUp, pageDown
    case enter, tab, backspace, delete, escape
    /// With Ctrl: `control("d")`.
    case control(Character)
}
