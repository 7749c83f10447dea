import PromisedExploring
import PromisedSystem
import Testing

/// Traces as JSON.
@Suite struct TraceTests {
    private static let json = """
        {
          "format" : "PromisedExploring trace",
          "property" : "saving is only shown meanwhile",
          "steps" : [
            {
              "errors" : [

              ],
              "send" : ".save",
              "shown" : [
                "loading .saving"
              ]
            },
            {
              "answer" : "disk",
              "errors" : [

              ],
              "outcome" : "disk full",
              "shown" : [
                ".saving"
              ]
            }
          ],
          "version" : 1
        }

        """

    @Test("a counterexample is written as JSON") func written() {
        #expect(Saving.explorer(.keepsSpinner).explore(depth: 3).counterexample?.json == Self.json)
    }

    @Test("a trace in JSON is read back and replayed, with events, answers and time")
    func readBack() throws {
        let explorer = Saving.explorer()
        #expect(try explorer.steps(json: Self.json) == [.send(.save), .answer("disk", "disk full")])
        let trace = explorer.replay(.send(.save), .advance(by: .milliseconds(1) / 3), .send(.cancel))
        #expect(try explorer.steps(json: trace.json()) == trace.map(\.step))
        #expect(explorer.replay(json: trace.json()).map(\.shown) == trace.map(\.shown))
        let texts = failures { Saving.explorer(.keepsSpinner).replay(json: Self.json) }
        #expect(texts.count == 1 && texts[0].hasPrefix("\"saving is only shown meanwhile\" does not hold"))
    }

    @Test(
        "what cannot be read fails the test and is named",
        arguments: [
            ("tea", "it is no trace in JSON: The given data was not valid JSON"),
            ("{}", "it is no trace in JSON: \"format\" is missing"),
            (#"{"format": "HAR", "version": 1}"#, #"its format is "HAR", not "PromisedExploring trace""#),
            (
                #"{"format": "PromisedExploring trace", "version": 2}"#,
                "it has version 2 of the format, and this package reads version 1"
            ),
            (
                step(#"{"send": ".drop"}"#),
                "step 1 sends .drop, which is none of the explorer's events: .save, .cancel"
            ),
            (
                step(#"{"advance": {"seconds": -1, "attoseconds": 0}}"#),
                "step 1 advances by a time that is negative, or whose attoseconds are a second or more"
            ),
            (
                step(#"{"advance": {"seconds": \#(Int64.max), "attoseconds": \#(Int64.max)}}"#),
                "step 1 advances by a time that is negative, or whose attoseconds are a second or more"
            ),
            (
                step(#"{"answer": "disk"}"#),
                "step 1 has neither send, nor answer with outcome, nor advance, nor action"
            ),
        ])
    func unreadable(json: String, problem: String) {
        var steps: Int?
        let texts = failures { steps = Saving.explorer().replay(json: json).count }
        #expect(texts == ["The trace cannot be replayed: \(problem)."])
        #expect(steps == 0)
    }

    private static func step(_ step: String) -> String {
        #"{"format": "PromisedExploring trace", "version": 1, "steps": [\#(step)]}"#
    }

    private enum Alike: Hashable, CustomStringConvertible {
        case one, two
        var description: String { "it" }
    }

    @Test("an event whose text is that of another one cannot be read") func alike() {
        let explorer = Explorer<Int, Alike>(events: [.one, .two]) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { count, _ in count = 1 })
        }
        let trace = explorer.replay(.send(.one))
        #expect(
            failures { explorer.replay(json: trace.json()) } == [
                "The trace cannot be replayed: step 1 sends .it, which is the text of 2 of the explorer's events."
            ])
    }
}
