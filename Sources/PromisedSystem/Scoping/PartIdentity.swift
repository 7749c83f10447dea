/// Tells a part of a state from one that takes its place: its `id`, if its type is `Identifiable`. Parts of other types
/// are the same as long as one is present.
///
/// Unchecked because an id need not be sendable: it belongs to a state, which is, and it is only compared.
struct PartIdentity: Equatable, @unchecked Sendable {
    private let id: AnyHashable?

    private init() { id = nil }

    /// Of parts that are not told from each other.
    static let none = PartIdentity()

    init<Part>(of part: Part) {
        id = Part.self is any Identifiable.Type ? (part as? any Identifiable)?.anyID : nil
    }
}

extension Identifiable {
    fileprivate var anyID: AnyHashable { AnyHashable(id) }
}
