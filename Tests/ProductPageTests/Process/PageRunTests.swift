import Foundation
import TestSupport
import Testing
import ToolSupport

@testable import ProductCommands
@testable import ProductPage
@testable import ProductReading

/// What the program prints of a catalogue, a file or standard input, and of what a script does to it.
@Suite(.timeLimit(.minutes(10)), .tags(.noSharedState)) struct PageRunTests {
    private static let lamp = #"{"@context":"https://schema.org","@type":"Product","sku":"L","name":"Lamp"}"#
    private static let lampPage = "Lamp\n  Price:        no price given\n  Id:           L\n"
    private static let dime =
        #"{"@type":"Product","sku":"A","name":"A","offers":{"price":0.10,"priceCurrency":"EUR"}}"#
    private static let dimeLine =
        #"{"id":"A","name":"A","price":{"currency":"EUR","high":0.1,"low":0.1,"text":"0.10 EUR"},"sku":"A"}"#
        + "\n"
    private static let potLine = "POT-3  鉄瓶 Tetsubin tea pot: 18400 JPY, limited availability\n"
    private static let error = "bundled catalogue: the shop does not answer; try again"
    private static let ids = [
        "LMP-1", "POT-3", "BAG-5", "CLK-7", "MUG-2", "KNF-8", "KIT-4", "OUD-6", "BLK-9",
    ]

    private static let files = [
        "lamp.json": lamp, "a.json": dime,
        "page.html": "<p>Hi<script type='application/ld+json'>\(lamp)</script>",
    ]

    /// The arguments, standard input, and all that is on standard output.
    static let pages: [(String, String, String)] = [
        (
            "--latency 0", "",
            """
            Ålesund desk lamp
              Brand:        Nordlys & Sønn
              Price:        129.90 EUR
              Availability: in stock
              Rating:       4.6 (87)
              Id:           LMP-1
              Image:        https://shop.example/lamp-front.jpg

              A lamp of oiled ash and brass. Its arm stays where you put it, and its light
              is warm enough for late pages.

            """
        ),
        ("--help", "", Help.text + "\n"), ("-h", "", Help.text + "\n"),
        ("--nope x y --help", "", Help.text + "\n"), ("--version", "", "product-page \(Version.current)\n"),
        ("--list --product pot --latency 0", "", potLine),
        ("lamp.json", "", lampPage), ("./lamp.json", "", lampPage), ("page.html", "", lampPage),
        ("-", lamp, lampPage),
        ("a.json --json", "", dimeLine),
        ("a.json --json --list", "", dimeLine), ("a.json --json --list --product a", "", dimeLine),
        ("--events -", "", "start\n"),
        ("--latency 600000 --events load,cancel", "", "start\nloading\nstart\nstart\n"),
    ]

    @Test(arguments: pages) func page(line: String, input: String, output: String) async throws {
        let home = try TemporaryFolder(Self.files)
        #expect(try await home.run(line, input: input) == Outcome(0, output))
        #expect(try home.visibleNames() == Self.files.keys.sorted())
    }

    /// The same in short: a word for each state with the pieces in the cart, `L` and `P` for the lamp and the pot.
    static let scripts: [(String, String, String)] = [
        (
            "load,add,next,add,previous,remove,wait,refresh", "",
            "start loading loaded:L0 loading added:L1 loaded:P1 loading added:P2 loaded:L2 loading removed:L1 "
                + "loading loaded:L1"
        ),
        (
            "-", "load, ADD\n\n  wait\r\nremove",
            "start loading loaded:L0 loading added:L1 loading removed:L0"
        ),
    ]

    @Test("PK-31: a script prints every shown state as a line, in order", arguments: scripts)
    func script(events: String, input: String, expected: String) async throws {
        let home = try TemporaryFolder()
        let outcome = try await home.run("--latency 0 --events \(events)", input: input)
        let states = outcome.lines.map {
            $0.replacing(" Ålesund desk lamp, 129.90 EUR, cart ", with: "L")
                .replacing(" 鉄瓶 Tetsubin tea pot, 18400 JPY, cart ", with: "P")
        }
        #expect(states.joined(separator: " ") == expected)
        #expect(outcome.code == 0 && outcome.errors == "")
        #expect(try home.visibleNames() == ["state"])
    }

    @Test("a file is shown by its path and its file: address, and a pipe with a writer is read to its end")
    func paths() async throws {
        let home = try TemporaryFolder(Self.files)
        try home.write(try home.read("page.html"), to: "a page.html")
        for source in [home.file("lamp.json"), "file://" + home.file("lamp.json"), "a page.html"] {
            #expect(try await home.run([source]) == Outcome(0, Self.lampPage))
        }
        let pipe = try await home.run("pipe", after: "mkfifo pipe; cat lamp.json > pipe & true")
        #expect(pipe == Outcome(0, Self.lampPage))
        let script = try await home.run("lamp.json --latency 600000 --fail-rate 1 --events load,add")
        #expect(script.lines.last == "added: Lamp, no price given, cart 1" && script.code == 0)
        let input = try await home.run(
            "--events load,add,refresh -", input: #"{"@type":"Product","name":"Tea"}"#)
        #expect(input.lines.last == "loaded: Tea, no price given, cart 2")
    }

    @Test("--list prints a line for each of the bundled products, with --json an object")
    func list() async throws {
        let home = try TemporaryFolder()
        let list = try await home.run("--list --latency=0")
        #expect(list.lines.map { String($0.prefix(5)) } == Self.ids)
        #expect(list.lines[1] + "\n" == Self.potLine)
        let json = try await home.run("--list --json --latency 0")
        #expect(try objects(json).map { $0["id"] as? String } == Self.ids)
        #expect(list.code == 0 && list.errors == "" && json.code == 0)
    }

    @Test(
        "--product takes an id, a name, or a part of either", arguments: ["CLK-7", "żuraw WALL clock", "żur"])
    func product(query: String) async throws {
        let outcome = try await TemporaryFolder().run(["--product", query, "--latency", "0"])
        #expect(outcome.lines.first == "Żuraw wall clock" && outcome.code == 0)
    }

    private func objects(_ outcome: Outcome) throws -> [[String: Any]] {
        try outcome.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test("PK-31: --json prints an object a line for every shown state, the same in every locale")
    func json() async throws {
        let home = try TemporaryFolder()
        let line =
            "--json --latency 0 --fail-rate 0.5 --seed 11 --product BAG --events load,load,load,add,add,next"
        let outcome = try await home.run(line)
        let (known, failed) = ("cart product state", "cart error product state")
        #expect(
            try objects(outcome).map { "\($0["state"] ?? ""): \($0.keys.sorted().joined(separator: " "))" }
                == [
                    "start: state", "loading: state", "loaded: \(known)", "loading: \(known)",
                    "error: \(failed)",
                    "loading: \(known)", "loaded: \(known)", "loading: \(known)", "error: \(failed)",
                    "loading: \(known)", "error: \(failed)", "loaded: \(known)",
                ])
        #expect(outcome.code == 0 && outcome.errors == "")
        let german = try await home.run(line, environment: ["LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"])
        #expect(german == outcome)
    }

    @Test(
        "PK-31: with a seed the failures are the same on each run; one that was recovered from is not the end"
    )
    func seeds() async throws {
        let home = try TemporaryFolder()
        let line = "--latency 0 --fail-rate 0.5 --seed 2 --events load,add --cart cart"
        let first = try await home.run(line)
        #expect(
            first.lines == [
                "start", "loading", "loaded: Ålesund desk lamp, 129.90 EUR, cart 0", "loading",
                "error: \(Self.error)",
            ])
        #expect(first.code == 1 && first.errors == "product-page: \(Self.error)\n")
        #expect(try home.visibleNames() == [])
        #expect(try await home.run(line) == first)
        let other = try await home.run("--latency 0 --fail-rate 0.5 --seed 0 --events load,load")
        #expect(other.lines.map { $0.prefix(6) } == ["start", "loadin", "error:", "loadin", "loaded"])
        #expect(other.code == 0 && other.errors == "")
    }

    @Test(
        "an unknown event on standard input ends it, after what was sent before, and with the line's number")
    func unknownEvent() async throws {
        let outcome = try await TemporaryFolder().run(
            "--latency 1 --events -", input: "load\nadd\nnext,remov\nadd\n")
        #expect(
            outcome.lines.last == "added: Ålesund desk lamp, 129.90 EUR, cart 1" && outcome.lines.count == 5)
        let line = "standard input, line 3: unknown event 'remov'; did you mean remove?"
        #expect(outcome.errors == "product-page: \(line)\n" && outcome.code == 64)
    }

    @Test("events are taken as their lines come, and states are shown while the input is still open")
    func asTheyCome() async throws {
        let home = try TemporaryFolder()
        let outcome = try await home.talk("--latency 0 --events -") { tool in
            tool.input.write("load\n")
            while let line = tool.output.readLine(), !line.hasPrefix("loaded") {}
            tool.input.write("add\n")
            while let line = tool.output.readLine(), !line.hasPrefix("added") {}
        }
        #expect(outcome == Outcome(0))
        #expect(try CartFile(path: home.file("state/product-page/cart.json")).load().count == 1)
    }

    @Test("otherwise standard input is not read: its end is never waited for, and what is in it stays")
    func untouchedInput() async throws {
        let home = try TemporaryFolder()
        let input = Channel()
        input.write("load\n")
        for line in [
            ["--latency", "0"], ["--latency", "0", "--events", "load,wait"], ["--list", "--latency=0"],
        ] {
            #expect(try await home.run(line, handles: (input.reading, nil)).code == 0)
        }
        input.closeWriting()
        #expect(input.readLine() == "load")
        #expect(input.readLine() == nil)
    }
}
