import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// Recordings of a program whose types have changed since.
@Suite(.tags(.sharedState)) struct ToleranceTests {
    struct Old: Codable, Sendable { var count = 0, color = "red", rows: [Row] = [] }
    struct Row: Codable, Sendable { var id: Int }
    enum OldStep: Codable, Sendable { case add(Int), remove }

    struct New: Codable, Sendable {
        var count = 0, changes = 0, note: String?, rows: [NewRow] = []
    }
    struct NewRow: Codable, Sendable { var id: Int, isNew: Bool }
    enum NewStep: Codable, Sendable { case add(Int) }

    private func record(_ steps: OldStep..., by session: RecordedSession) async throws -> Recording {
        let scheduler = TestScheduler()
        let system = System<Old, OldStep>(
            initialState: Old(), scheduler: scheduler,
            reducer: Reducer { state, step in
                guard case .add(let number) = step else { return }
                state.count += number
                state.rows.append(Row(id: number))
            }, configuration: .init().recorded(by: session.recorder, as: "counter"))
        scheduler.runAsCurrent { for step in steps { system.sendEvent(step) } }
        return try await session.recording()
    }

    private func run(
        _ recording: Recording, _ tolerance: Tolerance = .fields,
        _ change: @escaping @Sendable (inout New, Int) -> Void = { _, _ in }
    ) throws -> RunResult {
        try recording.run(New.self, NewStep.self, as: "counter", tolerance: tolerance) { start in
            System<New, NewStep>(
                initialState: start.state, scheduler: start.scheduler,
                reducer: Reducer { state, step in
                    guard case .add(let number) = step else { return }
                    state.count += number
                    state.changes += 1
                    state.rows.append(NewRow(id: number, isNew: true))
                    change(&state, number)
                })
        }
    }

    @Test("Properties that were added or removed are no difference, and noted")
    func fields() async throws {
        let session = try RecordedSession()
        let result = try run(try await record(.add(1), .add(2), by: session)) { state, number in
            if number == 2 { state.note = "two" }
        }
        #expect(result.isSame && result.turns == 2)
        #expect(
            result.notes == [
                "first state, changes: missing in the recording, filled in",
                "color: only in the recorded New",
                "changes: only in today's New", "rows.isNew: only in today's New",
                "note: only in today's New",
            ])
    }

    @Test("A list with another number of elements is a difference, at its end too", arguments: [-1, 1])
    func elements(added: Int) async throws {
        let session = try RecordedSession()
        let recording = try await record(.add(1), .add(2), by: session)
        let result = try run(recording) { state, number in
            guard number == 2 else { return }
            if added > 0 { state.rows.append(NewRow(id: 3, isNew: true)) } else { state.rows.removeLast() }
        }
        #expect(result.difference?.turn == 2)
    }

    @Test("With the strict tolerance, a property that was added is a difference")
    func strict() async throws {
        let session = try RecordedSession()
        let result = try run(try await record(.add(1), by: session), .strict)
        #expect(result.difference?.changes == ["changes: + 0", #"color: - "red""#])
    }

    @Test("Parts can be left out of the comparison, and others count")
    func ignoring() async throws {
        let session = try RecordedSession()
        let recording = try await record(.add(1), .add(2), by: session)
        let change: @Sendable (inout New, Int) -> Void = { state, number in
            if number == 2 { (state.count, state.rows[1].id) = (7, 7) }
        }
        #expect(try run(recording, .fields.ignoring("count", "rows.id"), change).isSame)
        let result = try run(recording, .fields.ignoring("count"), change)
        #expect(result.difference?.turn == 2)
    }

    @Test("An event of a case that is gone is a difference where it is sent")
    func unknownEvent() async throws {
        let session = try RecordedSession()
        let result = try run(try await record(.add(1), .remove, by: session))
        #expect(result.turns == 1 && result.difference?.turn == 2)
        #expect(result.difference?.expected == #"event {"remove":{}} is sent"#)
        #expect(result.difference?.actual.hasPrefix("it is no NewStep: ") == true)
    }
}
