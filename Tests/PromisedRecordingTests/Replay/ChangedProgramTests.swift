import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// A program that was changed since a session of it was recorded.
@Suite(.tags(.sharedState)) struct ChangedProgramTests {
    private typealias Change = TeaRoom.Change

    /// Each change, the turn in which it is noticed, and a line of the text.
    private static let differences: [(change: TeaRoom.Change, turn: Int, text: String)] = [
        (.stateField, 2, "guests: 3 → 2"),
        (.optionalField, 2, #"note: + "two""#),
        (.dictionaryKey, 2, #"prices: {"all":2} → {"all":1,"x":2}"#),
        (.ignoredEvent, 2, "guests: 3 → 1"),
        (.outcomeFails, 2, "today: the turn ends: failed: Full()"),
        (.outcomeSettles, 3, "today: the turn ends: settled"),
        (.otherError, 3, "today: the turn ends: failed: Closed()"),
        (.extraEvent, 2, "today: event enter(0) is sent by middleware"),
        (.stoppedEvent, 2, "today: the turn ends: stopped"),
        (.replacedEvent, 9, "today: the turn of enter(0) begins"),
        (.missingEffect, 5, "recorded: effect 'order' starts"),
        (.extraEffect, 2, "today: effect 'order' starts"),
        (.otherKey, 5, "today: effect 'tea' starts"),
        (.otherTimer, 5, "today: a timer of 2000000 ns is set by run 1"),
        (.missingTimer, 5, "recorded: a timer of 1000000 ns is set by run 1"),
        (.otherInput, 5, "today: price(mug) is called by run 1"),
        (.otherEndpoint, 5, "today: cost(tea) is called by run 1"),
        (.missingCall, 5, "recorded: price(tea) is called by run 1"),
        (.extraCall, 7, "today: cost(tea) is called by turn 7"),
        (.swappedAnswers, 7, "orders: [3,3,5] → [3,5,3]"),
        (.otherPolicy, 7, "clean(1)"),
        (.missingInterim, 4, "recorded: an interim state is shown"),
        (.extraInterim, 4, "opens: true → false"),
        (.otherInterim, 4, "opens: true → false"),
        (.effectEvent, 5, "today: event ordered(0) is sent by run 1"),
        (.missingCancel, 11, "recorded: run 2 is cancelled"),
        (.synchronousTransition, 4, "today: the turn ends: settled"),
    ]

    @Test("A session is run again by the program that was recorded, with everything as it was")
    func unchanged() async throws {
        let session = try RecordedSession()
        let result = try run(try await TeaRoom.record(by: session))
        #expect(result.isSame && result.turns == 12 && result.notes == [])
        #expect(result.description == "\(session.path): 'tables' 12 turns are as recorded.")
    }

    @Test("A change of the program is noticed in the turn in which it matters", arguments: differences)
    func changed(change: TeaRoom.Change, turn: Int, text: String) async throws {
        let session = try RecordedSession()
        let result = try run(try await TeaRoom.record(by: session), change)
        #expect(result.difference?.turn == turn, "\(result)")
        #expect(result.description.contains("differs at turn \(turn) (line "))
        #expect(result.description.contains(text), "\(result)")
    }

    @Test("Each change has its difference")
    func isComplete() { #expect(Set(Self.differences.map(\.change)) == Set(TeaRoom.Change.allCases)) }

    private func run(_ recording: Recording, _ change: TeaRoom.Change? = nil) throws -> RunResult {
        try recording.run(TeaRoom.Tables.self, TeaRoom.Step.self, as: "tables") {
            TeaRoom(change).system(on: $0.scheduler, from: $0.state)
        }
    }
}
