/// The description of a write in a record of a store: the model and the property.
public struct ModelChange: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name of the model's type.
    public let model: String
    /// The model's place in its store, as `rows[2].counter`; empty for the root.
    public let place: String
    /// The property that was written; empty if it may be several.
    public let property: String

    @usableFromInline
    init(model: String, place: String, property: String) {
        (self.model, self.place, self.property) = (model, place, property)
    }

    /// The place and the property, as `rows[2].counter.count`.
    public var description: String {
        let parts = [place, property].filter { !$0.isEmpty }
        return parts.isEmpty ? model : parts.joined(separator: ".")
    }
}
