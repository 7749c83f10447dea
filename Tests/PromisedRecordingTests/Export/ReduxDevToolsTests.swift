import Foundation
import Testing

@testable import PromisedRecording

/// What Redux DevTools reads of an import: the types of `LiftedState` in its source.
private struct LiftedState: Decodable {
    struct LiftedAction: Decodable {
        let type: String, action: Action, timestamp: Double
    }
    struct Action: Decodable {
        let type: String
    }
    struct ComputedState: Decodable {
        let state: Page?
    }
    struct Page: Decodable {
        let step: Int?
    }

    let nextActionId: Int, stagedActionIds: [Int], skippedActionIds: [Int], currentStateIndex: Int
    let actionsById: [String: LiftedAction]
    let computedStates: [ComputedState]
    let isLocked: Bool, isPaused: Bool
    let committedState: Page?

    /// The rules of the import.
    func check() {
        #expect(computedStates.count == stagedActionIds.count)
        #expect(Set(actionsById.keys) == Set(stagedActionIds.map { "\($0)" }))
        #expect(stagedActionIds == Array(0..<nextActionId))
        #expect(currentStateIndex == stagedActionIds.count - 1)
        #expect(actionsById.values.allSatisfy { $0.type == "PERFORM_ACTION" && $0.timestamp >= 0 })
        #expect(actionsById["0"]?.action.type == "@@INIT")
    }

    var actions: [String] { stagedActionIds.map { actionsById["\($0)"]?.action.type ?? "" } }
}

/// The export to Redux DevTools.
@Suite struct ReduxDevToolsTests {
    private func export(_ session: ShopSession, of name: String = "page", last: Int = 1_000) throws
        -> LiftedState
    {
        let text = try session.text.read { try $0.reduxDevTools(of: name, last: last) }
        let lifted = try JSONDecoder().decode(LiftedState.self, from: Data(text.utf8))
        lifted.check()
        return lifted
    }

    @Test("each state is that after its action; interim states are actions") func actions() throws {
        let lifted = try export(ShopSession(rounds: 1))
        #expect(
            lifted.actions == [
                "@@INIT", #"add("tea 0", count: 1)"#, "nothing", #"load("tea 0") (interim)"#,
                #"load("tea 0")"#,
                #"load("milk 0") (interim)"#, #"load("milk 0")"#, #"search("tea")"#, "step(0)", "step(1)",
                "step(2)",
            ])
        #expect(lifted.computedStates.map { $0.state?.step } == Array(repeating: nil, count: 8) + [0, 1, 2])
        #expect(lifted.committedState != nil)
    }

    @Test("the last turns begin with the state before them") func last() throws {
        let lifted = try export(ShopSession(rounds: 30), last: 2)
        #expect(lifted.actions == ["@@INIT", "step(1)", "step(2)"])
        #expect(lifted.computedStates.map { $0.state?.step } == [0, 1, 2])
    }

    @Test("without turns there is the first state") func empty() throws {
        #expect(try export(ShopSession(rounds: 0)).actions == ["@@INIT"])
        #expect(try export(ShopSession(rounds: 1), last: 0).actions == ["@@INIT"])
    }

    @Test("a key that would be a reference is another one, and failures are in the action") func references()
        throws
    {
        var text = RecordingText()
        text.add(system: "page", .object(["$jsan": .object(["$jsan": "a"])]))
        text.add(turnTo: .number(1))
        let export = try json(try text.read { try $0.reduxDevTools(of: "page") })
        #expect(export["committedState"]?["$$jsan"]?["$$jsan"] == "a")
        let failed = try ShopSession(rounds: 1).text.read { try $0.reduxDevTools(of: "page") }
        #expect(try json(failed)["actionsById"]?["6"]?["action"]?["payload"]?["error"] == "offline")
    }

    @Test("of an unknown system, the known ones are named") func unknown() throws {
        #expect {
            try ShopSession(rounds: 1).text.read { try $0.reduxDevTools(of: "Page") }
        } throws: { "\($0)".contains("no system 'Page' was recorded, but log, page, store") }
    }
}
