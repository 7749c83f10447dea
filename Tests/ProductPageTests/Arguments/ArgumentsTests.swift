import Foundation
import Testing

@testable import ProductPage

@Suite struct ArgumentsTests {
    private func options(_ line: String) throws -> Options {
        guard case .run(let options) = try parse(line) else { throw WrongCount(count: 0) }
        return options
    }

    private func parse(_ line: String) throws -> Command {
        try Arguments.parse(line.split(separator: " ").map(String.init))
    }

    @Test func nothingGivenIsTheDefaults() throws {
        let options = try options("")
        #expect(options == Options())
        #expect(options.latency == .milliseconds(800))
        #expect(options.timeout == .seconds(30))
        #expect(options.source == nil)
    }

    @Test func everyOptionIsReadInBothForms() throws {
        var expected = Options()
        expected.source = .file(path: "a.json")
        expected.product = "x=y"
        expected.latency = .zero
        expected.failRate = 0.25
        expected.seed = .max
        expected.events = .script([.load, .add, .wait])
        expected.json = true
        expected.cart = "c"
        expected.analytics = "d"
        expected.timeout = .milliseconds(1500)
        (expected.plain, expected.quiet, expected.color) = (true, true, .never)
        let last = UInt64.max
        #expect(
            try options(
                "--product x=y --latency 0 --fail-rate 0.25 --seed \(last) a.json "
                    + "--events load,add,wait --json --cart c --analytics d --timeout 1.5 --plain --quiet --color never"
            ) == expected)
        #expect(
            try options(
                "--product=x=y --latency=0 --fail-rate=.25 --seed=\(last) --events=load,ADD,wait "
                    + "--json --cart=c --analytics=d --timeout=1.5 --plain --quiet --color=never -- a.json")
                == expected)
    }

    @Test func watching() throws {
        var expected = Options()
        (expected.isWatch, expected.source) = (true, .file(path: "a.json"))
        (expected.below, expected.every) = (Decimal(string: "99.50"), .seconds(90))
        #expect(try options("watch a.json --below 99.5 --every 1.5m") == expected)
        #expect(try options("watch --every 1h").every == .seconds(3600))
        #expect(try options("watch --every 168h").every == .seconds(604_800))
        #expect(try options("watch watch").source == .file(path: "watch"))
        #expect(try !options("./watch").isWatch)
        #expect(try options("--json watch a.json").isWatch)
        #expect(try options("--list -- watch").source == .file(path: "watch"))
    }

    @Test func theSmallPrintHolds() throws {
        #expect(try options("--events -").events == .standardInput)
        #expect(try options("--seed 1 --seed 2").seed == 2)
        #expect(try options("--timeout 0.0001").timeout == .milliseconds(1))
        #expect(try options("-- --list").source == .file(path: "--list"))
        #expect(try options("--product -1").product == "-1")
        #expect(try options("--product=--list").product == "--list")
        #expect(try parse("--bogus --help") == .help)
        #expect(try parse("a b -h") == .help)
        #expect(try parse("--version") == .version)
        #expect(try parse("--completions zsh") == .completions(.zsh))
        #expect(try options("-- -h").source == .file(path: "-h"))
    }

    @Test(arguments: [
        ("--prodct x", "unknown option '--prodct'; did you mean --product?"),
        ("--prod x", "unknown option '--prod'; did you mean --product?"),
        ("--co x", "unknown option '--co'; see product-page --help"),
        ("--JSON", "unknown option '--JSON'; did you mean --json?"),
        ("--tiemout=3", "unknown option '--tiemout'; did you mean --timeout?"),
        ("--colour", "unknown option '--colour'; did you mean --color?"),
        ("--frobnicate", "unknown option '--frobnicate'; see product-page --help"),
        ("--color blue", "--color cannot be 'blue': it takes auto, always or never, as in --color never"),
        (
            "--completions csh",
            "--completions cannot be 'csh': it takes bash, zsh or fish, as in --completions bash"
        ),
        ("--plain=1", "--plain takes no value; write it alone"),
        ("-x", "unknown option '-x'; for a file of that name write ./-x"),
        ("a b", "unexpected argument 'b': SOURCE is already 'a'; quote a name with spaces"),
        ("-- a --list", "unexpected argument '--list': SOURCE is already 'a'; quote a name with spaces"),
        ("--product", "--product needs a value: an id or a name, as in --product 'Tea pot'"),
        ("--product --list", "--product needs a value: an id or a name, as in --product 'Tea pot'"),
        ("--cart=", "--cart needs a value: a file, as in --cart cart.json"),
        ("--json=yes", "--json takes no value; write it alone"),
        ("--events load,ad", "unknown event 'ad'; did you mean add?"),
        (
            "--events buy",
            "unknown event 'buy'; the events are load, add, remove, refresh, next, previous, cancel, wait"
        ),
        (
            "--events ,",
            "--events cannot be ',': it takes names, as in --events load,add,wait, or - for standard input"
        ),
        ("--list --events load", "--list and --events exclude each other; choose one"),
        ("watch --events load", "watch takes no --events; leave it out"),
        ("watch --cart c --list", "watch takes no --cart; leave it out"),
        ("watch -", "watch cannot read standard input twice; give it a file"),
        ("--below 5", "--below and --every belong to watch; write product-page watch SOURCE --below 100"),
        ("ftp://x/y", "ftp://x/y: cannot load ftp: addresses, only http, https and file, or a path"),
    ])
    func mistakesNameTheArgumentAndTheWayOut(line: String, expected: String) {
        #expect(message { _ = try parse(line) } == expected)
        #expect(throws: PageError.usage(expected)) { try parse(line) }
    }

    @Test(arguments: [
        ("--latency", ["x", "-5", "1.5", "600001", "99999999999999999999", "0x10", "1e2"]),
        ("--fail-rate", ["1.1", "-0.1", "nan", "inf", "0,5", "0x1p-2", "half"]),
        ("--seed", ["-1", "1.0", "18446744073709551616", "a"]),
        ("--timeout", ["0", "-1", "3601", "nan", "10s"]),
        ("--below", ["0", "-1", "nan", "1,5", "x"]),
        ("--every", ["0s", "10", "m", "10d", "0.5s", "169h", "-1m", "1e9s"]),
    ])
    func badNumbersAreNamed(option: String, values: [String]) {
        for value in values {
            let error = message { _ = try parse("\(option) \(value)") }
            #expect(error.hasPrefix("\(option) cannot be '\(value)': it takes "))
        }
    }

    @Test func anythingAtAllIsOptionsOrAUsageError() {
        let pieces = [
            "--", "-", "=", "--product", "--events", "-1", "", "\u{0}", "é", "--=", "--json=", "http:",
        ]
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    do {
                        _ = try Arguments.parse([first, second, third])
                    } catch {
                        #expect(error.exitCode == 64)
                    }
                }
            }
        }
    }
}
