/// A message to a ``TimeTravel``: `{"id":1,"do":{"jump":{"to":2}}}` or `{"id":2,"look":{"state":{"at":2}}}`.
struct TravelRequest: Sendable, Codable {
    enum Look: Sendable, Hashable, Codable {
        case history
        case state(at: Int)
        case difference(at: Int)
    }

    var id: Int?
    var `do`: TravelCommand?
    var look: Look?

    /// The length of a message, in bytes.
    static let limit = 1 << 20
}

/// The answer, with the same id: one of its other members is set, none if a command was performed.
struct TravelAnswer: Sendable, Codable {
    var id: Int?
    var error: String?
    var history: RemoteTimeTravel.History?
    /// As JSON text, or as a description.
    var state: String?
    var difference: [String]?

    /// The length of a message, which may hold a state.
    static let limit = 1 << 24

    /// The message; if it is too long, one that says so.
    func text(limit: Int = limit) -> String {
        let text = TravelMessage.text(self)
        if text.utf8.count <= limit { return text }
        let error =
            "The answer has \(text.utf8.count) bytes; \(limit) are allowed. Keep fewer turns, or a smaller state."
        return TravelMessage.text(TravelAnswer(id: id, error: error))
    }
}

enum TravelMessage {
    static func text(_ message: some Encodable & Sendable) -> String {
        CodedValue(message).json?.text ?? "{}"
    }

    static func read<Message: Decodable>(
        _ type: Message.Type, _ text: String, limit: Int = TravelRequest.limit
    ) throws(TimeTravelError) -> Message {
        let bytes = Array(text.utf8)
        guard bytes.count <= limit else {
            throw .refused("The message has \(bytes.count) bytes; \(limit) are allowed.")
        }
        let json: JSONValue
        do throws(JSONProblem) { json = try JSONValue(parsing: bytes) } catch {
            throw .refused("The message is no JSON: \(error.reason) at byte \(error.offset).")
        }
        var repairs: [String] = []
        let message: Message
        do throws(DecodingProblem) { message = try json.decode(type, repairs: &repairs) } catch {
            throw .refused("The message is no \(type): \("\(error)".prefix(200)).")
        }
        guard repairs.isEmpty else { throw .refused("The message is no \(type): a part is missing.") }
        return message
    }
}
