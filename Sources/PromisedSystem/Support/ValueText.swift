/// A one-line, readable description of a value: its own description if its type has one, otherwise Swift notation
/// without module names and enclosing types.
package struct ValueText: CustomStringConvertible {
    package let description: String

    package init(_ value: Any) { description = Self.notation.text(of: value) }

    /// Describes an event for use within a sentence: by its own description if its type has one; an enum case without
    /// the leading dot.
    package init(event: Any) {
        let text = Self.describesItself(event) ? "\(event)" : Self.notation.text(of: event)
        description = text.hasPrefix(".") ? String(text.dropFirst()) : text
    }

    private static let notation = SwiftNotation(
        whole: { value, mirror in
            switch mirror.displayStyle {
            case .optional, .tuple, .collection, .set, .dictionary: nil
            case .enum, .struct: describesItself(value) ? String(reflecting: value) : nil
            case .class: describesItself(value) ? String(reflecting: value) : "\(type(of: value))"
            default: String(reflecting: value)
            }
        }, caseName: { ".\($0)" }, typeName: { "\(type(of: $0))" })

    private static func describesItself(_ value: Any) -> Bool {
        value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    }
}
