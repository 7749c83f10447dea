import ProductReading
package import ToolSupport

extension TerminalEnvironment {
    /// Whether there is a page to draw: a screen and keys, and options that ask for nothing else.
    package func showsPage(_ options: Options) -> Bool {
        isInteractive && options.source != .standardInput && options.events == nil && !options.json
            && !options.list
    }

    package func hasColor(_ options: Options) -> Bool {
        options.color == .always || options.color == .auto && hasColor
    }
}
