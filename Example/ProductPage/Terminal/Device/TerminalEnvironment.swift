import Foundation

/// What the process's streams are, and what the environment says about the terminal.
struct TerminalEnvironment: Sendable, Equatable {
    var isInputTerminal = false
    var isOutputTerminal = false
    /// `TERM`.
    var name: String?
    /// `NO_COLOR`, which counts where it is not empty (no-color.org).
    var noColor: String?

    static var process: TerminalEnvironment {
        let environment = ProcessInfo.processInfo.environment
        return TerminalEnvironment(
            isInputTerminal: isatty(0) == 1, isOutputTerminal: isatty(1) == 1,
            name: environment["TERM"], noColor: environment["NO_COLOR"])
    }

    /// A terminal without a name or with this one cannot move its cursor.
    var isDumb: Bool { ["dumb", "", nil].contains(name) }

    /// Whether there is a page to draw: a screen and keys, and options that ask for nothing else.
    func showsPage(_ options: Options) -> Bool {
        isInputTerminal && isOutputTerminal && !isDumb && options.source != .standardInput
            && options.events == nil && !options.json && !options.list && !options.plain
    }

    func hasColor(_ options: Options) -> Bool {
        options.color == .always || options.color == .auto && noColor?.isEmpty != false
    }
}
