package import Foundation
package import ProductReading

/// Everything that a run of the tool depends on: what the command line asks for.
package struct Options: Sendable, Equatable {
    package enum Events: Sendable, Equatable {
        case script(Script)
        /// `--events -`
        case standardInput
    }

    package enum Color: String, CaseIterable, Sendable {
        /// On a terminal, unless `NO_COLOR` says otherwise.
        case auto
        case always, never
    }

    /// A text to print instead of all else: the help, the version, or completions.
    package var text: String?
    /// Whether the price is watched; otherwise the page is shown.
    package var isWatch = false
    /// `nil` is the bundled catalogue.
    package var source: SourceLocation?
    package var product: String?
    package var list = false
    /// The price below which watching ends; nil to continue endlessly.
    package var below: Decimal?
    /// How often to look; nil is every ten minutes.
    package var every: Duration?
    /// How long the bundled catalogue pretends to need.
    package var latency: Duration = .milliseconds(800)
    /// How often the bundled catalogue pretends to fail, from 0 (never) to 1 (always).
    package var failRate = 0.0
    /// Makes the failures the same on each run.
    package var seed: UInt64?
    /// `nil` loads and shows the page, then ends.
    package var events: Events?
    package var json = false
    package var color = Color.auto
    /// `nil` is the user's own: that of `CartFile`.
    package var cart: String?
    package var analytics: String?
    /// Where the session is recorded; nil for nowhere.
    package var record: String?
    /// What is done with recordings, in place of all else.
    package var recordings: RecordingCommand?
    package var timeout: Duration = .seconds(30)
}
