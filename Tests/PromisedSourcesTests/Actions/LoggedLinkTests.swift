import Foundation
import PromisedSources
import TestSupport
import Testing

/// What a decoded action could not do reaches the log of the source that has taken it.
@Suite(.tags(.sharedState)) struct LoggedLinkTests {
    struct Notes: Sendable, Codable {
        var add: Action<String>
    }

    final class NotesSource: DecodableActionSource {
        let state: SourceState<Notes>
        let sourceIdentifier: String
        init(_ identifier: String, _ log: ActionLog) {
            (state, sourceIdentifier) = (SourceState(log: log), identifier)
        }
        var initialModel: Notes { Notes(add: addAction) }
        var decodableActions: [any DeclaredAction] { [addAction, clearAction] }
        var addAction: Action<String> { action(NotesSource.add, at: \.add) }
        var clearAction: Action<Void> { action(NotesSource.clear, at: \.add) }
        private func add(_: String) {}
        private func clear() {}
    }

    @Test(
        "SA-26, SA-27: a decoded action of another source, of an unknown name or of another input is recorded",
        arguments: [
            (
                "notes", "addAction", "other",
                "it was decoded from a model of another source, whose identifier is \"notes\""
            ),
            ("notes", "remove", "notes", "its source has no action \"remove\" with this input"),
            ("notes", "clearAction", "notes", "its source has no action \"clearAction\" with this input"),
        ])
    func recorded(_ identifier: String, _ name: String, _ taker: String, _ problem: String) throws {
        let (log, calls, problems) = (ActionLog(), Seen<String>(), Seen<String>())
        let callToken = log.onCall { calls.add("\($0)") }
        let problemToken = log.onProblem { problems.add("\($0)") }
        let text = #"{"add":{"source":"\#(identifier)","action":"\#(name)"}}"#
        let source = NotesSource(taker, log)
        source.model = try JSONDecoder().decode(Notes.self, from: Data(text.utf8))
        source.model.add("eggs")
        let line = "NotesSource.\(name)(eggs): \(problem)"
        #expect(calls.values == [line] && problems.values == [line])
        // Kept by the caller, it is a call all the same.
        source.model.add("milk") { _ in false }
        #expect(calls.values.count == 2 && problems.values.count == 1)
        callToken.cancel()
        problemToken.cancel()
        Reports.begin()
        source.model.add("\(identifier) \(name) \(taker)")
        #expect(Reports.about("notes.\(name)").count >= 1)
    }
}
