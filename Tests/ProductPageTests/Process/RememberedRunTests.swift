import Foundation
import Testing

@testable import ProductPage

/// Two runs of the program, the second of which remembers what the first has loaded.
@Suite(.timeLimit(.minutes(10))) struct RememberedRunTests {
    private static func lamp(_ price: String) -> String {
        #"{"@type":"Product","sku":"L","name":"Lamp","offers":{"price":\#(price),"priceCurrency":"EUR"}}"#
    }

    /// Answers with another price each time, and then not at all.
    private func shop(_ headers: [String] = []) throws -> LoopbackServer {
        let count = RequestCount()
        return try LoopbackServer { _ in
            let number = count.next()
            return number > 2 ? answer("503 Busy") : answer("200 OK", headers, body: Self.lamp("\(number)"))
        }
    }

    @Test("states show the product that is remembered while the fresh one comes, and keep it when none does")
    func states() async throws {
        let home = try TemporaryFolder()
        let shop = try shop()
        var prices: [[String]] = []
        for _ in 1...3 {
            let outcome = try await ToolRun(in: home).run(shop.url("/lamp"), "--json")
            prices.append(
                outcome.lines.map { line in
                    let price = line.firstRange(of: #""price":""#).map {
                        line[$0.upperBound...].prefix { $0 != " " }
                    }
                    let state = line.firstRange(of: #""state":""#).map {
                        line[$0.upperBound...].prefix { $0 != "\"" }
                    }
                    return "\(state ?? "") \(price ?? "-")"
                })
        }
        #expect(
            prices == [
                ["start -", "loading -", "loaded 1.00"],
                ["start -", "loading -", "loading 1.00", "loaded 2.00"],
                ["start -", "loading -", "loading 2.00", "error 2.00"],
            ])
    }

    @Test("a single page is the fresh one or none: nobody could tell it from one of yesterday")
    func page() async throws {
        let home = try TemporaryFolder()
        let shop = try shop()
        for number in 1...2 {
            let outcome = try await ToolRun(in: home).run(shop.url("/lamp"))
            #expect(outcome.lines.dropFirst().first == "  Price:        \(number).00 EUR")
        }
        for arguments in [[], ["--list"]] {
            let outcome = try await ToolRun(in: home).run([shop.url("/lamp")] + arguments)
            let line = "product-page: \(shop.url("/lamp")): answered 503 Service Unavailable\n"
            #expect(outcome == Outcome(code: 69, output: "", errors: line))
        }
    }

    @Test("what the server forbids to keep is on no disk, and neither is a password")
    func secrets() async throws {
        let home = try TemporaryFolder()
        let forbidden = try shop(["Cache-Control: no-store"])
        #expect(try await ToolRun(in: home).run(forbidden.url("/lamp")).code == 0)
        let open = try shop()
        let secret = "http://me:secret@127.0.0.1:\(open.port)/lamp"
        #expect(try await ToolRun(in: home).run(secret).code == 0)
        #expect(!FileManager.default.fileExists(atPath: home.file(".cache/product-page")))
        #expect(try await ToolRun(in: home).run(open.url("/lamp")).code == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: home.file(".cache/product-page")).count == 1)
    }

    @Test("a memory that is damaged, or no folder, is not worth a word")
    func damaged() async throws {
        let home = try TemporaryFolder()
        let shop = try shop()
        #expect(try await ToolRun(in: home).run(shop.url("/lamp")).code == 0)
        let folder = home.file(".cache/product-page")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
        try Data("\u{1B}[2J".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        let outcome = try await ToolRun(in: home).run(shop.url("/lamp"), "--events", "load")
        let expected = ["start", "loading", "loaded: Lamp, 2.00 EUR, cart 0"]
        #expect(outcome.lines == expected)
        #expect(outcome.errors == "")

        let other = try TemporaryFolder()
        try other.write("", to: ".cache")
        let another = try self.shop()
        #expect(try await ToolRun(in: other).run(another.url("/lamp")).errors == "")
    }
}
