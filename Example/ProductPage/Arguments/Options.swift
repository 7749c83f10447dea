import Foundation

/// Everything that a run of the tool depends on: what the command line asks for.
struct Options: Sendable, Equatable {
    enum Events: Sendable, Equatable {
        case script(Script)
        /// `--events -`
        case standardInput
    }

    enum Color: String, CaseIterable, Sendable {
        /// On a terminal, unless `NO_COLOR` says otherwise.
        case auto
        case always, never
    }

    /// A text to print instead of all else: the help, the version, or completions.
    var text: String?
    /// Whether the price is watched; otherwise the page is shown.
    var isWatch = false
    /// `nil` is the bundled catalogue.
    var source: SourceLocation?
    var product: String?
    var list = false
    /// The price below which watching ends; nil to continue endlessly.
    var below: Decimal?
    /// How often to look; nil is every ten minutes.
    var every: Duration?
    /// How long the bundled catalogue pretends to need.
    var latency: Duration = .milliseconds(800)
    /// How often the bundled catalogue pretends to fail, from 0 (never) to 1 (always).
    var failRate = 0.0
    /// Makes the failures the same on each run.
    var seed: UInt64?
    /// `nil` loads and shows the page, then ends.
    var events: Events?
    var json = false
    /// A line for each state before the page.
    var plain = false
    /// No messages but errors.
    var quiet = false
    var color = Color.auto
    /// `nil` is the user's own: `CartFile.defaultPath()`.
    var cart: String?
    var analytics: String?
    var timeout: Duration = .seconds(30)
}
