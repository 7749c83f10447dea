// Actions are encoded by name, and decoded as links, which become live when their source is set to the model.
extension Action: Codable {
    private enum CodingKeys: String, CodingKey { case source, action }

    /// Encodes the identifier of the source and the name of the action.
    ///
    /// - Throws: An `EncodingError` for an action of a closure, or of a source that is no ``DecodableActionSource``: it
    ///   could not be decoded.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        func encode(_ source: String, _ name: String) throws {
            try container.encode(source, forKey: .source)
            try container.encode(name, forKey: .action)
        }
        switch identity {
        case .method(let owner, let name) where owner.identifier != nil && !body.isMapped:
            try encode(owner.identifier ?? "", name)
        case .decoded(let link) where !body.isMapped: try encode(link.identifier, link.name)
        case .nothing: try container.encode("doNothing", forKey: .action)
        case .placeholder: try container.encode("placeholder", forKey: .action)
        case .method, .decoded, .closure:
            throw EncodingError.invalidValue(
                self,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription:
                        "The action \(self) has no name by which it could be found again: only the actions of a "
                        + "DecodableActionSource can be encoded, as they are declared."))
        }
    }

    /// Decodes a name. The action is available when the source with that identifier is set to a model that contains it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .action)
        guard let source = try container.decodeIfPresent(String.self, forKey: .source) else {
            switch name {
            case "doNothing": self = .doNothing
            case "placeholder": self = .placeholder
            default:
                throw DecodingError.dataCorruptedError(
                    forKey: .action, in: container,
                    debugDescription: "There is no action \"\(name)\" without a source.")
            }
            return
        }
        self.init(ActionBody(ActionLink(identifier: source, name: name)))
    }
}
