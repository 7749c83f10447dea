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

    @Test("without events --json prints the states of a load, with prices as text")
    func load() async throws {
        let home = try TemporaryFolder()
        try home.write(
            #"{"@type":"Product","sku":"A","name":"A","offers":{"price":0.10,"priceCurrency":"EUR"}}"#,
            to: "a.json")
        let outcome = try await ToolRun(in: home).run("a.json", "--json")
        let product =
            #"{"amount":"0.1","currency":"EUR","id":"A","name":"A","price":"0.10 EUR","sku":"A"}"#
        #expect(
            outcome.lines == [
                #"{"state":"start"}"#, #"{"state":"loading"}"#,
                #"{"cart":{"count":0,"lines":[]},"product":\#(product),"state":"loaded"}"#,
            ])
        #expect(outcome.code == 0)
    }

    @Test("an error is an object on standard output and a line on standard error")
    func error() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run("gone.json", "--json")
        #expect(outcome.lines.last == #"{"error":"gone.json: no such file","state":"error"}"#)
        #expect(outcome.errors == "product-page: gone.json: no such file\n")
        #expect(outcome.code == 66)
    }
}
