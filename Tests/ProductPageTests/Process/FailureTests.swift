import Foundation
import Testing

@testable import ProductPage
@testable import ProductReading

/// What cannot be done is one line that says why, and an exit code.
@Suite(.timeLimit(.minutes(10))) struct FailureTests {
    private static let names = "names, as in --events load,add,wait, or - for standard input"
    private static let catalogue = "bundled catalogue"
    private static let address = "no schema.org Product"

    /// A file each for what is no product.
    private static let files = [
        "empty": "", "blank": " \n", "comma": "{,}", "begun": #"{"@type":"Product","#,
        "half": #"{"@type":"Product","name":"La"#, "nonsense": "\n\n  nonsense",
        "recipe": #"{"@type":"Recipe","name":"Soup"}"#, "page": "<html><p>Hello</p></html>",
        "script": "<html><script type='application/ld+json'>{]</script>",
    ]

    static let failures =
        [
            // Wrong usage says what to write instead.
            Failure("--lst", 64, "unknown option '--lst'; did you mean --list?"),
            Failure(["--events", ""], 64, "--events needs a value: \(names)"),
            Failure(["--events", ", ,"], 64, "--events cannot be ', ,': it takes \(names)"),
            Failure("--events=", 64, "--events needs a value: \(names)"),
            Failure("--events load,ad", 64, "unknown event 'ad'; did you mean add?"),
            Failure("--list --events load", 64, "--list and --events exclude each other; choose one"),
            Failure(
                "ftp://shop.example/x", 64,
                "ftp://shop.example/x: cannot load ftp: addresses, only http, https and file, or a path"),
            Failure(
                "- --events -", 64,
                "SOURCE and --events cannot both be standard input; put one of them into a file"),
            // A product that is not there, and one that is not the only one, are named with what there is.
            Failure(
                "--product anvil", 66,
                "\(catalogue): no product matches “anvil”; there is Ålesund desk lamp (LMP-1), "
                    + "鉄瓶 Tetsubin tea pot (POT-3), Señal messenger bag (BAG-5), Żuraw wall clock (CLK-7), "
                    + "Camper's mug (MUG-2) and 4 more"),
            Failure(
                "--product wal", 64,
                "\(catalogue): 2 products match “wal”: Żuraw wall clock (CLK-7), عود Walnut oud (OUD-6)"),
            Failure("--fail-rate 1", 1, "\(catalogue): the shop does not answer; try again"),
            // A file that is not there, or is none.
            Failure("gone.json", 66, "gone.json: no such file"),
            Failure("gone.json --json", 66, "gone.json: no such file"),
            Failure("gone.json --list", 66, "gone.json: no such file"),
            Failure("--fail-rate 1 --list --json", 1, "\(catalogue): the shop does not answer; try again"),
            Failure("no/gone.json", 66, "no/gone.json: no such file"),
            Failure(".", 66, ".: is a directory"),
            Failure("cart.json/x", 66, "cart.json/x: a part of the path is not a directory"),
            Failure(["a\u{1B}[2J\nb"], 66, "a\u{FFFD}[2J b: no such file"),
            Failure("-", 66, "standard input: is empty"),
            // Content that is no product.
            Failure("empty", 66, "empty: is empty"), Failure("blank", 66, "blank: is empty"),
            Failure("comma", 66, "comma: no schema.org Product in it…"),
            Failure("begun", 66, "begun: not valid JSON at line 1, column 20: …"),
            Failure("half", 66, "half: not valid JSON at line 1, column …"),
            Failure("nonsense", 66, "nonsense: not valid JSON at line 3, column 3: …"),
            Failure("recipe", 66, "recipe: no schema.org Product in it…"),
            Failure("page", 66, "page: no schema.org Product: the page has no JSON-LD, microdata or RDFa…"),
            Failure(
                "script", 66,
                "script: no schema.org Product in the page; script 1 is not valid JSON at line 1, column 43: …"
            ),
            // A file of analytics that cannot be written is an error before anything is shown.
            Failure("--analytics .", 1, "analytics .: cannot be written: is a directory"),
        ]
        + ["", "--json", "--events=load,add"].map {
            Failure(
                "--analytics no/a.jsonl \($0)", 1, "analytics no/a.jsonl: cannot be written: no such file")
        }

    @Test(arguments: failures) func fails(_ failure: Failure) async throws {
        try await failure.expect(Self.files)
    }

    /// What a shell makes before.
    static let prepared = [
        ("ln -s gone nowhere", Failure("nowhere", 66, "nowhere: no such file")),
        ("ln -s circle circle", Failure("circle", 66, "circle: too many symbolic links")),
        ("mkfifo pipe", Failure("pipe --timeout 0.3", 69, "pipe: no answer within 0.3 s")),
        (
            "mkfifo pipe",
            Failure("--analytics pipe", 1, "analytics pipe: cannot be written: it is a pipe without a reader")
        ),
    ]

    @Test(arguments: prepared) func failsThere(command: String, failure: Failure) async throws {
        try await failure.expect(after: command)
    }

    #if os(Linux)
        @Test("a file that opens and cannot be read, even by root")
        func unreadable() async throws {
            try await Failure("/proc/self/mem", 66, "/proc/self/mem: Input/output error").expect()
        }
    #endif

    @Test("a file without permission to read it", .enabled(if: getuid() != 0, "root reads everything"))
    func forbidden() async throws {
        try await Failure("page", 66, "page: permission denied").expect(Self.files, after: "chmod 0 page")
    }

    @Test("an error in a script is an object on standard output, too")
    func script() async throws {
        let home = try TemporaryFolder()
        let outcome = try await home.run("gone.json --json --events load")
        #expect(outcome.lines.last == #"{"error":"gone.json: no such file","state":"error"}"#)
        #expect(outcome.errors == "product-page: gone.json: no such file\n" && outcome.code == 66)
        let nothing = try await home.run("--events add")
        let error = "no product is loaded yet; send load first"
        #expect(nothing == Outcome(1, "start\nerror: \(error)\n", errors: "product-page: \(error)\n"))
    }
}
