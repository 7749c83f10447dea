/// Writes values in Swift notation, as far as reflection can take them apart.
package struct SwiftNotation: Sendable {
    /// The text of a value that is written as a whole; nil for one that is taken apart.
    private let whole: @Sendable (Any, Mirror) -> String?
    /// The text of an enum case without associated values.
    private let caseName: @Sendable (Any) -> String
    /// The name of the type of a struct.
    private let typeName: @Sendable (Any) -> String

    package init(
        whole: @escaping @Sendable (Any, Mirror) -> String?,
        caseName: @escaping @Sendable (Any) -> String, typeName: @escaping @Sendable (Any) -> String
    ) {
        (self.whole, self.caseName, self.typeName) = (whole, caseName, typeName)
    }

    /// The text of a value. The members of sets and dictionaries are sorted, so that it is deterministic.
    package func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        if let text = whole(value, mirror) { return text }
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "nil"
        case .tuple: return "(" + arguments(mirror) + ")"
        case .struct: return typeName(value) + "(" + arguments(mirror) + ")"
        case .enum: return enumText(value, mirror)
        case .collection: return list(mirror.children.map { text(of: $0.value) })
        case .set: return list(mirror.children.map { text(of: $0.value) }.sorted())
        case .dictionary:
            let pairs = mirror.children.map { child in
                Mirror(reflecting: child.value).children.map { text(of: $0.value) }.joined(separator: ": ")
            }
            return pairs.isEmpty ? "[:]" : list(pairs.sorted())
        default: return "\(value)"
        }
    }

    private func enumText(_ value: Any, _ mirror: Mirror) -> String {
        guard let payload = mirror.children.first, let name = payload.label else { return caseName(value) }
        let inner = Mirror(reflecting: payload.value)
        return ".\(name)(" + (inner.displayStyle == .tuple ? arguments(inner) : text(of: payload.value)) + ")"
    }

    private func arguments(_ mirror: Mirror) -> String {
        mirror.children.map { child in
            let label = child.label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " } ?? ""
            return label + text(of: child.value)
        }
        .joined(separator: ", ")
    }

    private func list(_ items: [String]) -> String { "[" + items.joined(separator: ", ") + "]" }
}
