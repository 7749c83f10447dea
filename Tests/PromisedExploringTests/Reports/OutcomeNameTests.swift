import Foundation
import PromisedExploring
import PromisedSystem
import Testing

/// The names of outcomes are short, and stay the same when a type gets a further property.
@Suite struct OutcomeNameTests {
    private struct Page: Sendable { var number = 1 }
    private enum Answer: Sendable { case none, some(Int), page(Page), pages([Page], of: Int) }
    private struct Offline: Error { var code = 3 }
    private struct Full: Error, CustomStringConvertible {
        let description = "the disk\nis full"
    }

    private func name<Value: Sendable>(_ outcome: PromisedExploring.Outcome<Value>) -> String? {
        let explorer = Explorer<Int, Int>(events: [1]) { world in
            System(initialState: 0, scheduler: world.scheduler) { count, _ in
                world.call("call", outcome).map { _ in count }
            }
        }
        for entry in explorer.walk(length: 9, seed: 1) {
            if case .answer(_, let name) = entry.step { return name }
        }
        return nil
    }

    @Test("values without properties are named by their texts, cut to 40 characters")
    func texts() {
        #expect(name(.value(3)) == "3")
        #expect(name(.value("tea")) == "tea")
        #expect(name(.value(String(repeating: "a", count: 41))) == String(repeating: "a", count: 40) + "…")
        #expect(name(.value(["USD": 1.08, "EUR": 1])) == #"["EUR": 1.0, "USD": 1.08]"#)
        #expect(name(.value(Optional("tea"))) == "tea")
        #expect(name(.value(Int?.none)) == "nil")
        #expect(name(.report(50)) == "report 50")
    }

    @Test("cases are named by their names, with payloads that have no properties")
    func cases() {
        #expect(name(.value(Answer.none)) == "none")
        #expect(name(.value(Answer.some(2))) == "some(2)")
        #expect(name(.value(Answer.page(Page()))) == "page")
        #expect(name(.value(Answer.pages([Page()], of: 2))) == "pages")
    }

    @Test("values with properties, and errors, are named by their types unless they describe themselves")
    func types() {
        #expect(name(.value(Page())) == "Page")
        #expect(name(.value([Page(), Page()])) == "Array<Page>")
        #expect(name(.value(Array(0..<100))) == "Array<Int>")
        #expect(name(PromisedExploring.Outcome<Int>.error(Offline())) == "Offline")
        #expect(name(PromisedExploring.Outcome<Int>.error(Full())) == "the disk is full")
        #expect(name(.value(Page(), named: "first")) == "first")
    }
}
