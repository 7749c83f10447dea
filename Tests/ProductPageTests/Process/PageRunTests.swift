import Foundation
import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct PageRunTests {
    @Test("without anything it loads and prints the first bundled product, and leaves no trace")
    func plain() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run("--latency", "0")
        let expected = """
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
        #expect(outcome == Outcome(code: 0, output: expected, errors: ""))
        #expect(try home.names() == [])
    }

    @Test("--list prints a line for each of the bundled products")
    func list() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run("--list", "--latency=0")
        #expect(outcome.code == 0)
        #expect(outcome.errors == "")
        let ids = ["LMP-1", "POT-3", "BAG-5", "CLK-7", "MUG-2", "KNF-8", "KIT-4", "OUD-6", "BLK-9"]
        #expect(outcome.lines.map { String($0.prefix(5)) } == ids)
        #expect(outcome.lines[1] == "POT-3  鉄瓶 Tetsubin tea pot: 18400 JPY, limited availability")
    }

    @Test("--list --json prints an object for each")
    func listAsJSON() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run("--list", "--json", "--latency", "0")
        let ids = try outcome.lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(object?["id"] as? String)
        }
        #expect(ids == ["LMP-1", "POT-3", "BAG-5", "CLK-7", "MUG-2", "KNF-8", "KIT-4", "OUD-6", "BLK-9"])
        #expect(outcome.code == 0)
    }

    @Test("--list --product lists the product")
    func listOfOne() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run("--list", "--product", "pot", "--latency", "0")
        #expect(outcome.lines == ["POT-3  鉄瓶 Tetsubin tea pot: 18400 JPY, limited availability"])
    }

    @Test(
        "--product takes an id, a name, or a part of either", arguments: ["CLK-7", "żuraw WALL clock", "żur"])
    func product(query: String) async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run("--product", query, "--latency", "0")
        #expect(outcome.lines.first == "Żuraw wall clock")
        #expect(outcome.code == 0)
    }

    @Test("a product that is not there, and one that is not the only one, are named with what there is")
    func wrongProduct() async throws {
        try await expectFailure(
            "--product", "anvil", code: 66,
            saying: "bundled catalogue: no product matches “anvil”; there is Ålesund desk lamp (LMP-1), "
                + "鉄瓶 Tetsubin tea pot (POT-3), Señal messenger bag (BAG-5), Żuraw wall clock (CLK-7), "
                + "Camper's mug (MUG-2) and 4 more")
        try await expectFailure(
            "--product", "wal", code: 64,
            saying: "bundled catalogue: 2 products match “wal”: Żuraw wall clock (CLK-7), "
                + "عود Walnut oud (OUD-6)")
    }

    @Test("a shop that always fails is an error of the page")
    func failing() async throws {
        try await expectFailure(
            "--fail-rate", "1", code: 1,
            saying: "bundled catalogue: the shop does not answer; try again")
    }
}
