import Foundation
import PromisedExploring
import PromisedSystem
import Testing

/// A script can be pasted: this file has the scripts of its counterexamples, and compiles.
@Suite struct ScriptTests {
    struct Item: Hashable { var name = "tea", price: Double = 2.5, tags: Set<String> = [], weight: Int? }
    enum Size: String, CustomStringConvertible {
        case small
        var description: String { "a small one" }
    }
    enum Tone: CaseIterable, CustomStringConvertible {
        case low, high
        var description: String { "a tone" }
    }
    enum Event: Hashable {
        case put(Item, at: Duration)
        case pick(Size, Tone?)
        case link(URL, [String: [Int]])
        case `default`
    }

    private static func explorer(_ event: Event) -> Explorer<Int, Event> {
        Explorer(events: [event]) { world in
            world.always("never 1") { $0 == 0 }
            return System(initialState: 0, scheduler: world.scheduler) { _, _ in
                world.call("a \"call\"\n", .value(1, named: "\\(x)"))
            }
        }
    }

    @Test("the script of a counterexample is Swift source code, whatever the events are")
    func pastes() throws {
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let events: [Event] = [
            .put(Item(), at: .milliseconds(1_500)), .pick(.small, .high),
            .link(URL(string: "https://example.org/a?b")!, ["a": [1, 2]]), .default,
        ]
        for event in events {
            let found = try #require(Self.explorer(event).explore(depth: 2).counterexample)
            let lines = found.script.split(separator: "\n").joined(separator: " ")
            #expect(
                source.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
                    lines.split(separator: " ").joined(separator: " ")), "\(found.script)")
        }
        let texts = failures { for event in events { pasted(Self.explorer(event), event) } }
        #expect(texts.count == events.count)
        #expect(texts.allSatisfy { $0.hasPrefix("\"never 1\" does not hold after 2 steps.") })
    }

    // swift-format-ignore
    private func pasted(_ explorer: Explorer<Int, Event>, _ event: Event) {
        switch event {
        case .put:
            explorer.replay(
                .send(.put(ScriptTests.Item(name: "tea", price: 2.5, tags: [], weight: nil), at: .milliseconds(1500))),
                .answer("a \"call\"\n", "\\(x)"))
        case .pick:
            explorer.replay(
                .send(.pick(ScriptTests.Size(rawValue: "small")!, ScriptTests.Tone.allCases[1])),
                .answer("a \"call\"\n", "\\(x)"))
        case .link:
            explorer.replay(
                .send(.link(URL(string: "https://example.org/a?b")!, ["a": [1, 2]])),
                .answer("a \"call\"\n", "\\(x)"))
        case .default:
            explorer.replay(
                .send(.default),
                .answer("a \"call\"\n", "\\(x)"))
        }
    }
}
