import PromisedReports
import Testing

@testable import PromisedRecording

/// The diagram of the states that a recording has shown.
@Suite struct VisitedStatesTests {
    private func graph(_ states: [String], loading: Set<Int> = []) throws -> Graph {
        var visited = VisitedStates()
        for (index, state) in states.enumerated() {
            visited.add(.value(try json(state)), isLoading: loading.contains(index), cause: ".\(index)")
        }
        return visited.graph
    }

    @Test("cases of an enum are named by the case, and interim states are marked") func cases() throws {
        let states = [
            #"{"idle":{}}"#, #"{"loading":{"_0":"a"}}"#, #"{"idle":{}}"#, #"{"loading":{"_0":"b"}}"#,
        ]
        let graph = try graph(states, loading: [1, 3])
        #expect(
            graph.nodes == [.init(name: "idle", isLoading: false), .init(name: "loading", isLoading: true)])
        #expect(
            graph.edges == [
                .init(from: 0, to: 1, labels: [".1", ".3"]), .init(from: 1, to: 0, labels: [".2"]),
            ])
    }

    @Test("a structure is named by the members that differ and have few values") func members() throws {
        let states = (0..<200).map {
            #"{"count":\#($0),"kind":"fixed","note":"text \#($0)","user":\#($0 < 99 ? "null" : "{\"known\":{}}")}"#
        }
        let graph = try graph(states)
        #expect(graph.nodes.map(\.name) == ["user: nil", "user: known"])
        #expect(graph.edges == [.init(from: 0, to: 1, labels: [".99"])])
    }

    @Test("numbers have no names, and states that are unknown lead nowhere") func nothing() throws {
        #expect(try graph(["1", "2", "[]"]) == Graph())
        var visited = VisitedStates()
        visited.add(.text("Log(1)"), isLoading: false, cause: "a")
        visited.add(.unknown(line: 1, reason: ""), isLoading: false, cause: "b")
        visited.add(.text("Other(1)"), isLoading: false, cause: "c")
        #expect(visited.graph.nodes.map(\.name) == ["Log", "Other"])
        #expect(visited.graph.edges.isEmpty)
    }
}
