import Foundation
import PromisedSources
import Testing

/// Actions survive the encoding of the model that has them.
@Suite struct DecodingTests {
    struct Notes: Sendable, Codable, Equatable {
        var notes: [String] = []
        var add: Action<String>
        var clear: Action<Void>?
    }

    final class NotesSource: DecodableActionSource {
        let state = SourceState<Notes>()
        let sourceIdentifier: String
        init(_ identifier: String = "notes") { sourceIdentifier = identifier }

        var initialModel: Notes { Notes(add: addAction) }
        var decodableActions: [any DeclaredAction] { [addAction, clearAction] }
        var addAction: Action<String> { action(NotesSource.add, at: \.add) }
        var clearAction: Action<Void> { action(NotesSource.clear, at: \.clear) }

        private func add(_ note: String) {
            update {
                $0.notes.append(note)
                $0.clear = clearAction
            }
        }
        private func clear() { model = Notes(add: addAction) }
    }

    private func problem(_ call: (((ActionProblem) -> Bool)?) -> Void) -> String? {
        var found: String?
        call {
            found = "\($0)"
            return false
        }
        return found
    }

    private func revived(_ notes: Notes) throws -> Notes {
        try JSONDecoder().decode(Notes.self, from: JSONEncoder().encode(notes))
    }

    @Test("SA-26: a decoded action is live once its source is set to the model that contains it")
    func live() throws {
        let first = NotesSource()
        first.model.add("milk")
        let decoded = try revived(first.model)
        #expect(decoded == first.model)
        #expect(decoded.add.hashValue == first.model.add.hashValue)
        #expect(
            problem { decoded.add("eggs", ifUnavailable: $0) }
                == "it was decoded, and its source has not been set to the model that contains it")

        let second = NotesSource()
        second.model = decoded
        // Also the copy that was made before.
        decoded.add("eggs")
        #expect(second.model.notes == ["milk", "eggs"])
        #expect(first.model.notes == ["milk"])
        second.model.clear?()
        #expect(second.model.notes == [])
        #expect(
            problem { decoded.clear?(ifUnavailable: $0) }
                == "the present model of its source does not offer it any more")
    }

    @Test("SA-26: an action of another source is not executed, and says so")
    func wrongSource() throws {
        let first = NotesSource()
        let other = NotesSource("other")
        other.model = try revived(first.model)
        #expect(
            problem { other.model.add("eggs", ifUnavailable: $0) }
                == "it was decoded from a model of another source, whose identifier is \"notes\"")
        #expect(other.model.notes == [])
    }

    @Test("SA-26: an action of an unknown name or of another input is not executed, and says so")
    func invalidMethod() throws {
        let source = NotesSource()
        let text = #"{"notes":[],"add":{"source":"notes","action":"remove"}}"#
        source.model = try JSONDecoder().decode(Notes.self, from: Data(text.utf8))
        #expect(
            problem { source.model.add("eggs", ifUnavailable: $0) }
                == "its source has no action \"remove\" with this input")

        let swapped = #"{"notes":[],"add":{"source":"notes","action":"clearAction"}}"#
        source.model = try JSONDecoder().decode(Notes.self, from: Data(swapped.utf8))
        #expect(
            problem { source.model.add("eggs", ifUnavailable: $0) }
                == "its source has no action \"clearAction\" with this input")
        #expect(source.model.notes == [])
    }

    @Test("a decoded action is encoded once more as it was, live or not")
    func encodedAgain() throws {
        let source = NotesSource()
        source.model.add("milk")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let before = try encoder.encode(source.model)
        let decoded = try JSONDecoder().decode(Notes.self, from: before)
        #expect(try encoder.encode(decoded) == before)
        source.model = decoded
        #expect(try encoder.encode(source.model) == before)
    }

    @Test("actions of no source keep what they are; those that could not be found again are not encoded")
    func withoutName() throws {
        let inert = Notes(add: .doNothing, clear: .placeholder)
        #expect(try revived(inert) == inert)
        let mapped = try revived(NotesSource().model).add.map { (text: String) in text }
        for action in [Action<String> { _ in }, NotesSource().addAction.map { $0 }, mapped] {
            let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(Notes(add: action)) }
            #expect("\(error.debugDescription)".contains("only the actions of a DecodableActionSource"))
        }
        let unknown = #"{"notes":[],"add":{"action":"explode"}}"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Notes.self, from: Data(unknown.utf8))
        }
    }

    @Test("SA-26: a decoded action is live in a source whose initial model has it")
    func initial() throws {
        final class Restored: DecodableActionSource {
            let state = SourceState<Notes>()
            let first: Notes
            init(_ first: Notes) { self.first = first }
            let sourceIdentifier = "notes"
            var initialModel: Notes { first }
            var decodableActions: [any DeclaredAction] { [addAction] }
            private var addAction: Action<String> { action(Restored.add, at: \.add) }
            private func add(_ note: String) { update { $0.notes.append(note) } }
        }
        let source = Restored(try revived(NotesSource().model))
        source.model.add("milk")
        #expect(source.model.notes == ["milk"])
    }

    @Test(
        "SA-26: a decoded action is live in each source of its identifier that is set to it, also after others"
    )
    func setAgain() throws {
        let decoded = try revived(NotesSource().model)
        NotesSource("other").model = decoded
        for _ in 0..<2 {
            let source = NotesSource()
            source.model = decoded
            NotesSource("other").model = decoded
            source.model.add("milk")
            #expect(source.model.notes == ["milk"])
        }
    }

    @Test("an update that brings decoded actions makes them live too")
    func updated() throws {
        let source = NotesSource()
        let decoded = try revived(source.model)
        source.update { $0.add = decoded.add }
        decoded.add("milk")
        #expect(source.model.notes == ["milk"])
    }
}
