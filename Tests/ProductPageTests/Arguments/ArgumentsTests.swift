import Foundation
import Testing

@testable import ProductCommands
@testable import ProductPage
@testable import ProductReading

@Suite struct ArgumentsTests {
    private func options(_ line: String) throws -> Options {
        try Options(arguments: line.split(separator: " ").map(String.init))
    }

    @Test func everyOptionIsReadInBothForms() throws {
        #expect(try options("") == Options())
        var expected = Options()
        (expected.source, expected.product) = (.file(path: "a.json"), "x=y")
        (expected.latency, expected.failRate, expected.seed) = (.zero, 0.25, .max)
        expected.events = .script(Script(words: [.load, .add, .wait]))
        (expected.cart, expected.analytics, expected.timeout) = ("c", "d", .milliseconds(1500))
        (expected.json, expected.color) = (true, .never)
        let last = UInt64.max
        #expect(
            try options(
                "--product x=y --latency 0 --fail-rate 0.25 --seed \(last) a.json "
                    + "--events load,add,wait --json --cart c --analytics d --timeout 1.5 --color never"
            ) == expected)
        #expect(
            try options(
                "--product=x=y --latency=0 --fail-rate=.25 --seed=\(last) --events=load,ADD,wait "
                    + "--json --cart=c --analytics=d --timeout=1.5 --color=never -- a.json")
                == expected)
    }

    /// What is asked for, and what of the options it changes.
    static let cases: [(String, @Sendable (inout Options) -> Void)] = [
        (
            "watch a.json --below 99.5 --every 1.5m",
            {
                ($0.isWatch, $0.source) = (true, .file(path: "a.json"))
                ($0.below, $0.every) = (Decimal(string: "99.50"), .seconds(90))
            }
        ),
        ("watch --every 1h", { ($0.isWatch, $0.every) = (true, .seconds(3600)) }),
        ("watch --every 168h", { ($0.isWatch, $0.every) = (true, .seconds(604_800)) }),
        ("watch watch", { ($0.isWatch, $0.source) = (true, .file(path: "watch")) }),
        ("./watch", { $0.source = .file(path: "./watch") }),
        ("--json watch a", { ($0.json, $0.isWatch, $0.source) = (true, true, .file(path: "a")) }),
        ("--list -- watch", { ($0.list, $0.source) = (true, .file(path: "watch")) }),
        ("--events -", { $0.events = .standardInput }), ("--seed 1 --seed 2", { $0.seed = 2 }),
        ("--timeout 0.0001", { $0.timeout = .milliseconds(1) }),
        ("-- --list", { $0.source = .file(path: "--list") }), ("--product -1", { $0.product = "-1" }),
        ("--product=--list", { $0.product = "--list" }), ("--bogus --help", { $0.text = Help.text }),
        ("a b -h", { $0.text = Help.text }), ("--version", { $0.text = Help.version }),
        ("--completions bash", { $0.text = Completions.bash }),
        ("-- -h", { $0.source = .file(path: "-h") }),
    ]

    @Test(arguments: cases) func theSmallPrintHolds(
        line: String, change: @escaping @Sendable (inout Options) -> Void
    ) throws {
        var expected = Options()
        change(&expected)
        #expect(try options(line) == expected)
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
            "--completions cannot be 'csh': it takes bash, as in --completions bash"
        ),
        ("--list=1", "--list takes no value; write it alone"),
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
        #expect(message { _ = try options(line) } == expected)
        #expect(throws: PageError.usage(expected)) { try options(line) }
    }

    @Test(arguments: [
        ("--latency", ["x", "-5", "1.5", "600001", "99999999999999999999", "0x10", "1e2"]),
        ("--fail-rate", ["1.1", "-0.1", "nan", "inf", "0,5", "0x1p-2", "half", "1e-1", "+1"]),
        ("--seed", ["-1", "1.0", "18446744073709551616", "a"]),
        ("--timeout", ["0", "-1", "3601", "nan", "10s", "1e3", "+10", "1."]),
        ("--below", ["0", "-1", "nan", "1,5", "x"]),
        ("--every", ["0s", "10", "m", "10d", "0.5s", "169h", "-1m", "1e9s", "1e2s"]),
    ])
    func badNumbersAreNamed(option: String, values: [String]) {
        for value in values {
            let error = message { _ = try options("\(option) \(value)") }
            #expect(error.hasPrefix("\(option) cannot be '\(value)': it takes "))
        }
    }

    @Test func anythingAtAllIsOptionsOrAUsageError() {
        let pieces = [
            "--", "-", "=", "--product", "--events", "-1", "", "\u{0}", "é", "--=", "--json=", "http:",
        ]
        let pairs = pieces.flatMap { first in pieces.map { [first, $0] } }
        for arguments in pairs.flatMap({ pair in pieces.map { pair + [$0] } }) {
            do {
                _ = try Options(arguments: arguments)
            } catch {
                #expect((error as? PageError)?.exitCode == 64)
            }
        }
    }
}
