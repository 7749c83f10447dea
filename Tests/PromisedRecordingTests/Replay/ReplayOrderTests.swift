import Foundation
import Promise
import PromisedSystem
import TestSupport
import Testing

@testable import PromisedRecording

/// Sets, whose elements another process encodes in another order.
@Suite struct ReplayOrderTests {
    private struct Places: Codable, Sendable {
        var visited: Set<Int> = []
        var nested: [String: Set<Int>] = ["a": [1, 2]]
        var list: [Int] = [1, 2]
    }

    private func run(list: String = "[1,2]", visited: String = "[6,5,4,3,2,1]", _ tolerance: Tolerance)
        async throws -> RunResult
    {
        let session = try RecordedSession()
        let system = System<Places, Int>(
            initialState: Places(), scheduler: .immediate,
            reducer: Reducer { $0.visited = $0.visited.union($1...$1 + 5) },
            configuration: .init().recorded(by: session.recorder, as: "places"))
        system.sendEvent(1)
        await session.recorder.finish()
        // As another process might have written it.
        let state = #""list":\#(list),"nested":{"a":[2,1]},"visited":\#(visited)"#
        var lines = session.text.split(separator: "\n").map(String.init)
        let place = try #require(lines.firstIndex { $0.contains(#""k":"turn""#) })
        lines[place] =
            #"{"n":1,"k":"turn","at":0,"d":0,"e":1,"o":"settled","s":1,"t":0,"v":{\#(state)}}"#
        let text = lines.joined(separator: "\n") + "\n"
        try text.write(toFile: session.path, atomically: false, encoding: .utf8)
        return try session.openRecording().run(Places.self, Int.self, as: "places", tolerance: tolerance) {
            System(
                initialState: $0.state, scheduler: $0.scheduler,
                reducer: Reducer { $0.visited = $0.visited.union($1...$1 + 5) })
        }
    }

    @Test("The order of a set is no difference", arguments: [Tolerance.fields, .strict])
    func sets(tolerance: Tolerance) async throws {
        #expect(try await run(tolerance).isSame)
    }

    @Test(
        "The order of a list is one, and so is an element of a set", arguments: [Tolerance.fields, .strict])
    func others(tolerance: Tolerance) async throws {
        #expect(try await !run(list: "[2,1]", tolerance).isSame)
        #expect(try await !run(visited: "[6,5,4,3,2,7]", tolerance).isSame)
    }
}
