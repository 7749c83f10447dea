import Foundation
import TestSupport
import Testing

@testable import ProductCommands
@testable import ProductPage
@testable import ProductReading
@testable import ToolSupport

/// What `--help` says, against what is so. The exit codes that it names are those of the tests in `Process`.
@Suite(.tags(.noSharedState)) struct HelpTests {
    private let lines = Help.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    /// The command lines of the examples, without the program's name and what they are for.
    private var examples: [[String]] {
        lines.dropFirst().prefix { !$0.isEmpty }.map { line in
            let command = line.trimmingCharacters(in: .whitespaces).components(separatedBy: "  ")[0]
            return command.split(separator: " ").map(String.init)
        }
    }

    private func named(_ name: String) -> CommandLineOption? {
        CommandLineOption.all.first { $0.name == name }
    }

    @Test("it fits a terminal of 80 columns and 24 rows, with the prompt below, and begins with examples")
    func size() {
        #expect(lines.first == "Examples:")
        #expect(lines.count <= 23)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 })
        #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
    }

    @Test("every example is understood, and those that need no network do what is written beside them")
    func examplesRun() async throws {
        let lamp =
            #"{"@type":"Product","sku":"A","name":"Apple","offers":{"price":98,"priceCurrency":"EUR"}}"#
        let home = try TemporaryFolder(["lamp.html": lamp])
        #expect(examples.count == 4 && examples.allSatisfy { $0.first == "product-page" })
        for example in examples.map({ Array($0.dropFirst()) }) {
            #expect(try Options(arguments: example).text == nil)
            if example.contains(where: { $0.hasPrefix("https:") }) { continue }
            let outcome = try await home.run(example + ["--latency", "0"])
            #expect(outcome.code == 0)
            switch example.first {
            case nil: #expect(outcome.lines.first == "Ålesund desk lamp")
            case "watch": #expect(outcome.lines.map { $0.dropFirst(20) } == ["  Apple: 98.00 EUR"])
            default: #expect(outcome.lines.last == "added: Ålesund desk lamp, 129.90 EUR, cart 1")
            }
        }
    }

    @Test(
        "every option is there with what it takes and what it does",
        arguments: CommandLineOption.all.map(\.name))
    func options(name: String) throws {
        let option = try #require(named(name))
        let flag = [option.flag, option.placeholder].compactMap { $0 }.joined(separator: " ")
        #expect(Help.text.contains(" \(flag) "))
        #expect(Help.text.contains(" \(option.summary)") != option.isForTrying)
        #expect((option.placeholder == nil) == option.expected.isEmpty)
    }

    @Test("the defaults that it names are the defaults")
    func defaults() {
        let options = Options()
        for (name, value) in [
            ("timeout", "\(options.timeout.components.seconds)"), ("fail-rate", "\(Int(options.failRate))"),
            ("latency", "\(Int(options.latency / .milliseconds(1)))"), ("every", "10m"),
        ] { #expect(named(name)?.summary.contains("(default \(value))") == true) }
        #expect(StateFolder.path(of: "cart", environment: ["XDG_STATE_HOME": "/state"]) == "/state/cart")
    }

    @Test("the words that it names are taken")
    func words() throws {
        let events = try #require(named("events")).summary.split(separator: " ").map(String.init)
        #expect(try Script(events.joined(separator: ",")).words.count == Script.Word.allCases.count)
        for (name, names) in [
            ("color", Options.Color.allCases.map(\.rawValue)),
            ("completions", ["bash"]),
        ] {
            let option = try #require(named(name))
            for name in names {
                #expect(option.summary.contains(name))
                #expect(throws: Never.self) { try Options(arguments: [option.flag, name]) }
            }
        }
    }

    @Test("the exit codes that it names are those of the errors")
    func codes() {
        let errors: [(PageError, String)] = [
            (.failed(""), "1 failed"), (.cart(path: "", reason: ""), "1 failed"),
            (.usage(""), "64 wrong usage"), (.noInput(source: "", reason: ""), "66 no file or product"),
            (.unavailable(source: "", reason: ""), "69 unreachable"),
        ]
        for (error, text) in errors {
            #expect(text.hasPrefix("\(error.exitCode) "))
            #expect(Help.text.contains(text))
        }
        for (signal, name) in [
            (SIGHUP, "HUP"), (SIGINT, "INT"), (SIGQUIT, "QUIT"), (SIGPIPE, "PIPE"), (SIGTERM, "TERM"),
        ] {
            #expect(Help.text.contains(" \(128 + signal) \(name)"))
        }
    }
}
