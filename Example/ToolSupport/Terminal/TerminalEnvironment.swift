import Foundation

/// The streams of the process, and the variables of the environment about the terminal.
package struct TerminalEnvironment: Sendable, Equatable {
    package var isInputTerminal: Bool
    package var isOutputTerminal: Bool
    /// `TERM`.
    package var name: String?
    /// `NO_COLOR`, which counts where it is not empty (no-color.org).
    package var noColor: String?

    package static var process: TerminalEnvironment {
        let environment = ProcessInfo.processInfo.environment
        return TerminalEnvironment(
            isInputTerminal: isatty(0) == 1, isOutputTerminal: isatty(1) == 1,
            name: environment["TERM"], noColor: environment["NO_COLOR"])
    }

    /// A terminal without a name or with this one cannot move its cursor.
    package var isDumb: Bool { ["dumb", "", nil].contains(name) }

    /// Whether there are a screen that can be drawn and keys.
    package var isInteractive: Bool { isInputTerminal && isOutputTerminal && !isDumb }

    /// Whether colours are wanted where nothing else decides.
    package var hasColor: Bool { noColor?.isEmpty != false }

    package init(
        isInputTerminal: Bool = false, isOutputTerminal: Bool = false, name: String? = nil,
        noColor: String? = nil
    ) {
        (self.isInputTerminal, self.isOutputTerminal) = (isInputTerminal, isOutputTerminal)
        (self.name, self.noColor) = (name, noColor)
    }
}
