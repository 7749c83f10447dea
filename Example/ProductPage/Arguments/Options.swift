import Foundation

/// What the command line asks for.
enum Command: Sendable, Equatable {
    case run(Options)
    case help
    case version
    case completions(Shell)
}

/// The shells that can complete our options.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
}

/// Everything that a run of the tool depends on.
struct Options: Sendable, Equatable {
    enum Events: Sendable, Equatable {
        case script([ScriptEvent])
        /// `--events -`
        case standardInput
    }

    enum Color: String, CaseIterable, Sendable {
        /// On a terminal, unless `NO_COLOR` says otherwise.
        case auto
        case always, never
    }

    /// Whether the price is watched; otherwise the page is shown.
    var isWatch = false
    /// `nil` is the bundled catalogue.
    var source: SourceLocation?
    var product: String?
    var list = false
    /// The price below which watching ends; nil to go on for ever.
    var below: Decimal?
    /// How often to look; nil is every ten minutes.
    var every: Duration?
    /// The shell whose completions are to be printed.
    var completions: Shell?
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
    /// No talk but errors.
    var quiet = false
    var color = Color.auto
    /// `nil` is the user's own: `CartFile.defaultPath()`.
    var cart: String?
    var analytics: String?
    var timeout: Duration = .seconds(30)
}
