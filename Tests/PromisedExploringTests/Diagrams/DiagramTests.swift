import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

@Suite(.tags(.noSharedState)) struct DiagramTests {
    private static let diagram = Saving.explorer().explore(depth: 4)
        .diagram(cases: ["clean", "saving", "saved", "failed", "lost"])

    @Test("cases are nodes, events and outcomes are edges, loading states are marked")
    func parts() {
        #expect(Self.diagram.nodes.map(\.name) == ["clean", "saving", "saved", "failed"])
        #expect(Self.diagram.nodes.map(\.isLoading) == [false, true, false, false])
        #expect(Self.diagram.unreached == ["lost"])
    }

    @Test("is rendered for Mermaid")
    func mermaid() {
        #expect(
            Self.diagram.mermaid == """
                stateDiagram-v2
                    classDef loading stroke-dasharray: 5 5
                    classDef unreached fill:#eee,stroke:#bbb,color:#999
                    state "clean" as s0
                    state "saving" as s1
                    state "saved" as s2
                    state "failed" as s3
                    state "lost" as u0
                    [*] --> s0
                    s0 --> s1: save
                    s1 --> s0: cancel
                    s0 --> s0: cancel
                    s1 --> s2: disk → done, cancel
                    s2 --> s1: save
                    s2 --> s0: cancel
                    s1 --> s3: disk → disk full, cancel
                    s3 --> s1: save
                    s3 --> s0: cancel
                    class s1 loading
                    class u0 unreached

                """)
    }

    @Test("is rendered for Graphviz, with more detailed states grouped by their cases")
    func dot() {
        #expect(
            Saving.explorer().explore(depth: 5).diagram(cases: ["lost"]) { "\($0)" }.dot == """
                digraph states {
                    node [shape=box, style=rounded, fontname="Helvetica"]
                    edge [fontname="Helvetica", fontsize=10]
                    start [shape=point, label=""]
                    s0 [label="clean"]
                    s1 [label="saving", style="rounded,dashed"]
                    subgraph cluster_2 {
                        label="saved"
                        s2 [label="saved(1)"]
                        s4 [label="saved(2)"]
                    }
                    s3 [label="failed"]
                    u0 [label="lost", color=gray, fontcolor=gray]
                    start -> s0
                    s0 -> s1 [label="save"]
                    s1 -> s0 [label="cancel"]
                    s0 -> s0 [label="cancel"]
                    s1 -> s2 [label="disk → done\\ncancel"]
                    s2 -> s1 [label="save"]
                    s2 -> s0 [label="cancel"]
                    s1 -> s3 [label="disk → disk full\\ncancel"]
                    s3 -> s1 [label="save"]
                    s3 -> s0 [label="cancel"]
                    s1 -> s4 [label="disk → done"]
                    s4 -> s1 [label="save"]
                    s4 -> s0 [label="cancel"]
                }

                """)
    }

    @Test("nodes are grouped in Mermaid as well")
    func groups() {
        let mermaid = Saving.explorer().explore(depth: 5).diagram { "\($0)" }.mermaid
        #expect(
            mermaid.contains(
                """
                    state "saved" as g2 {
                        state "saved(1)" as s2
                        state "saved(2)" as s4
                    }
                """))
    }

    @Test("characters with a meaning in Mermaid or Graphviz are escaped")
    func escaping() {
        struct Odd: Hashable, Sendable { var text = "a \"b\"; c: {d} \\ \n#" }
        let explorer = Explorer<Odd, Int>(events: [1]) { world in
            System(initialState: Odd(), scheduler: world.scheduler, reducer: Reducer { _, _ in })
        }
        let diagram = explorer.explore(depth: 1).diagram { $0.text }
        #expect(diagram.mermaid.contains("state \"a #34;b#34;#59; c#58; #123;d#125; \\  #35;\" as s0\n"))
        #expect(diagram.dot.contains("s0 [label=\"a \\\"b\\\"; c: {d} \\\\ \\n#\"]\n"))
    }

    @Test("names with any characters stay inside their quotes")
    func anyNames() {
        let names = ["\"\u{301}", "\\\u{301}", "a\u{0}b\tc\r\nd", ""]
        let explorer = Explorer<String, String>(events: names) { world in
            System(initialState: "start", scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        }
        let diagram = explorer.explore(depth: 1).diagram { $0 }
        func lines(_ text: String, with part: String) -> [String] {
            text.split(separator: "\n").filter { $0.contains(part) }.map { $0.trimmingPrefix { $0 == " " } }
                .map(String.init)
        }
        #expect(
            lines(diagram.dot, with: "[label=").filter { !$0.contains("->") } == [
                #"s0 [label="start"]"#, "s1 [label=\"\\\"\u{301}\"]", "s2 [label=\"\\\\\u{301}\"]",
                #"s3 [label="ab c\nd"]"#, #"s4 [label="\"\""]"#,
            ])
        #expect(
            lines(diagram.mermaid, with: "state \"") == [
                #"state "start" as s0"#, "state \"#34;\u{301}\" as s1", "state \"\\\u{301}\" as s2",
                #"state "ab c d" as s3"#, ##"state "#34;#34;" as s4"##,
            ])
    }

    private enum Spoken: Hashable, CustomStringConvertible {
        case first, second(Int)
        var description: String { "what is said" }
    }

    @Test("an event with a description is shown by it, and one with a payload by its case")
    func spokenEvents() {
        let explorer = Explorer<Int, Spoken>(events: [.first, .second(2)]) { world in
            System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in state = event == .first ? 1 : 2 })
        }
        #expect(
            explorer.explore(depth: 1).diagram().edges.map(\.labels) == [["what is said"], ["second(2)"]])
    }
}
