internal import Foundation
internal import PromisedSystem

/// A trace as JSON. Only the steps are read back; states and errors are for readers.
struct TraceDocument: Codable {
    struct StoredStep: Codable {
        /// An event as source text.
        var send: String?
        /// The label of a call, and the name of its outcome.
        var answer: String?
        var outcome: String?
        var advance: Advance?
        /// The name of an action of the world.
        var action: String?
        var shown: [String]?
        var errors: [String]?
    }

    struct Advance: Codable {
        let seconds: Int64
        let attoseconds: Int64

        /// nil if no clock can be advanced by that.
        var duration: Duration? {
            guard seconds >= 0, 0..<1_000_000_000_000_000_000 ~= attoseconds else { return nil }
            return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
        }
    }

    /// The members that identify a document of another version.
    struct Header: Codable {
        let format: String
        let version: Int
    }

    static var format: String { "PromisedExploring trace" }
    static var version: Int { 1 }

    private(set) var format = Self.format
    private(set) var version = Self.version
    private(set) var property: String?
    private(set) var steps: [StoredStep]

    init<State, Event>(_ trace: some Sequence<TraceEntry<State, Event>>, property: String?) {
        self.property = property
        steps = trace.map { entry in
            var step =
                switch entry.step {
                case .send(let event): StoredStep(send: SourceText(event).description)
                case .answer(let call, let outcome): StoredStep(answer: call, outcome: outcome)
                case .advance(let duration):
                    StoredStep(
                        advance: Advance(
                            seconds: duration.components.seconds, attoseconds: duration.components.attoseconds
                        ))
                case .action(let name): StoredStep(action: name)
                }
            step.shown = entry.shown.map { shown in
                let text = StateText(shown.state, isLoading: shown.isLoading)
                return text.full ?? text.description
            }
            step.errors = entry.errors
            return step
        }
    }

    /// The text of a document, or of a list of documents.
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) + "\n" } ?? ""
    }

    /// Whether the steps of two documents are the same.
    func hasSameSteps(as other: TraceDocument) -> Bool {
        func key(_ step: StoredStep) -> [String?] {
            [
                step.send, step.answer, step.outcome, step.advance.map { "\($0.seconds) \($0.attoseconds)" },
                step.action,
            ]
        }
        return steps.map(key) == other.steps.map(key)
    }
}

/// Why a trace cannot be read, as a sentence.
struct TraceProblem: Error, CustomStringConvertible {
    let description: String
}

extension TraceDocument {
    /// - Throws: A ``TraceProblem`` if it is no trace of this version.
    init(json: String) throws { self = try Self.read(json, as: Header.self) { [$0] } }

    /// - Throws: A ``TraceProblem`` if it is no list of traces of this version.
    static func list(json: String) throws -> [TraceDocument] { try read(json, as: [Header].self) { $0 } }

    private static func read<Head: Decodable, Document: Decodable>(
        _ json: String, as head: Head.Type, _ headers: (Head) -> [Header]
    ) throws -> Document {
        let data = Data(json.utf8)
        do {
            for header in headers(try JSONDecoder().decode(Head.self, from: data)) {
                guard header.format == format else {
                    throw TraceProblem(description: "its format is \"\(header.format)\", not \"\(format)\"")
                }
                guard header.version == version else {
                    throw TraceProblem(
                        description: "it has version \(header.version) of the format, and this package reads "
                            + "version \(version)")
                }
            }
            return try JSONDecoder().decode(Document.self, from: data)
        } catch let problem as TraceProblem {
            throw problem
        } catch {
            throw TraceProblem(description: "it is no trace in JSON: \(reason(error))")
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            // The messages that it is part of end with a full stop.
            context.debugDescription.hasSuffix(".")
                ? String(context.debugDescription.dropLast()) : context.debugDescription
        default: "\(error)"
        }
    }

    /// The steps, with the events that have these source texts.
    ///
    /// - Throws: A ``TraceProblem`` if a step cannot be understood.
    func steps<Event>(_ events: [Event]) throws -> [PromisedExploring.Step<Event>] {
        let texts = events.map { SourceText($0).description }
        return try steps.enumerated().map { number, step in
            if let send = step.send {
                let found = texts.indices.filter { texts[$0] == send }
                if found.count == 1 { return .send(events[found[0]]) }
                throw TraceProblem(
                    description: "step \(number + 1) sends \(send), which "
                        + (found.isEmpty
                            ? "is none of the explorer's events: \(texts.joined(separator: ", "))"
                            : "is the text of \(found.count) of the explorer's events"))
            }
            if let answer = step.answer, let outcome = step.outcome { return .answer(answer, outcome) }
            if let action = step.action { return .action(action) }
            guard let advance = step.advance else {
                throw TraceProblem(
                    description:
                        "step \(number + 1) has neither send, nor answer with outcome, nor advance, nor action"
                )
            }
            guard let duration = advance.duration else {
                throw TraceProblem(
                    description:
                        "step \(number + 1) advances by a time that is negative, or whose attoseconds are a second or more"
                )
            }
            return .advance(by: duration)
        }
    }
}
