/// A one-line, readable description of a value: its own description if its type has one, otherwise Swift notation
/// without module names and enclosing types.
package struct ValueText: CustomStringConvertible {
    package let description: String

    package init(_ value: Any) { description = Self.text(of: value) }

    /// Describes an event for use within a sentence: by its own description if its type has one; an enum case without
    /// the leading dot.
    package init(event: Any) {
        let text = Self.describesItself(event) ? "\(event)" : Self.text(of: event)
        description = text.hasPrefix(".") ? String(text.dropFirst()) : text
    }

    private static func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "nil"
        case .tuple: return "(" + arguments(mirror) + ")"
        case .collection:
            return "[" + mirror.children.map { text(of: $0.value) }.joined(separator: ", ") + "]"
        case .set:
            return "[" + mirror.children.map { text(of: $0.value) }.sorted().joined(separator: ", ") + "]"
        case .dictionary: return dictionaryText(mirror)
        case .enum where !describesItself(value): return enumText(value, mirror)
        case .struct where !describesItself(value):
            return typeName(of: value) + "(" + arguments(mirror) + ")"
        default: return String(reflecting: value)
        }
    }

    private static func describesItself(_ value: Any) -> Bool {
        value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    }

    private static func enumText(_ value: Any, _ mirror: Mirror) -> String {
        guard let payload = mirror.children.first, let name = payload.label else { return ".\(value)" }
        let inner = Mirror(reflecting: payload.value)
        return ".\(name)(" + (inner.displayStyle == .tuple ? arguments(inner) : text(of: payload.value)) + ")"
    }

    private static func arguments(_ mirror: Mirror) -> String {
        mirror.children.map { child in
            let label = child.label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " } ?? ""
            return label + text(of: child.value)
        }
        .joined(separator: ", ")
    }

    private static func dictionaryText(_ mirror: Mirror) -> String {
        let pairs = mirror.children.map { child in
            Mirror(reflecting: child.value).children.map { text(of: $0.value) }.joined(separator: ": ")
        }
        return pairs.isEmpty ? "[:]" : "[" + pairs.sorted().joined(separator: ", ") + "]"
    }

    private static func typeName(of value: Any) -> String { "\(type(of: value))" }
}
