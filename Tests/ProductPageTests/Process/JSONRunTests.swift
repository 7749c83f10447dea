import Foundation
import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct JSONRunTests {
    private func objects(_ outcome: Outcome) throws -> [[String: Any]] {
        try outcome.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test("PK-31: --json prints an object a line for every shown state, the same in every locale")
    func script() async throws {
        let home = try TemporaryFolder()
        let arguments = [
            "--json", "--latency", "0", "--fail-rate", "0.5", "--seed", "11", "--events",
            "load,load,load,add,add,next", "--product", "BAG",
        ]
        let outcome = try await ToolRun(in: home).run(arguments)
        let objects = try objects(outcome)
        let expected = [
            "start", "loading", "loaded", "loading", "error", "loading", "loaded", "loading", "error",
            "loading", "error", "loaded",
        ]
        #expect(objects.map { $0["state"] as? String } == expected)
        let keys = objects.map { $0.keys.sorted().joined(separator: " ") }
        let known = "cart product state"
        let failed = "cart error product state"
        #expect(
            keys == [
                "state", "state", known, known, failed, known, known, known, failed, known, failed, known,
            ])
        #expect(outcome.code == 0)
        #expect(outcome.errors == "")

        let german = try await ToolRun(
            in: home, environment: ["LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"]
        )
        .run(arguments)
        #expect(german == outcome)
    }

    @Test("without events --json prints the product once, with numbers")
    func load() async throws {
        let home = try TemporaryFolder()
        try home.write(
            #"{"@type":"Product","sku":"A","name":"A","offers":{"price":0.10,"priceCurrency":"EUR"}}"#,
            to: "a.json")
        let product =
            #"{"id":"A","name":"A","price":{"currency":"EUR","high":0.1,"low":0.1,"text":"0.10 EUR"},"sku":"A"}"#
        for mode in [[], ["--plain"], ["--list"], ["--list", "--product", "a"]] {
            let outcome = try await ToolRun(in: home).run(["a.json", "--json"] + mode)
            #expect(outcome == Outcome(code: 0, output: product + "\n", errors: ""))
        }
    }

    @Test("an error is a line on standard error; in a script also an object on standard output")
    func error() async throws {
        let home = try TemporaryFolder()
        let line = "product-page: gone.json: no such file\n"
        let outcome = try await ToolRun(in: home).run("gone.json", "--json")
        #expect(outcome == Outcome(code: 66, output: "", errors: line))
        let script = try await ToolRun(in: home).run("gone.json", "--json", "--events", "load")
        #expect(script.lines.last == #"{"error":"gone.json: no such file","state":"error"}"#)
        #expect(script.errors == line)
    }
}
