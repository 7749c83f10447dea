/// A program on the terminal, notified of what the terminal does. Everything is called on the main thread.
package protocol TerminalScreen: AnyObject, Sendable {
    /// Whether it draws.
    var isShown: Bool { get }

    /// The window has another size.
    func resize(to size: ScreenSize)

    /// The terminal is the program's, with anything on it.
    func reveal(_ size: ScreenSize)

    /// Another program has the terminal from now on.
    func hide()

    /// Bytes of keys.
    func receive(_ bytes: [UInt8])
}
