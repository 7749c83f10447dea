/// A value in a few characters that stay the same when its type gets a further property: names of outcomes are written
/// into scripts.
@usableFromInline
struct ShortText: Sendable, CustomStringConvertible {
    @usableFromInline let description: String

    private static var limit: Int { 40 }

    @usableFromInline
    init(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        let isOptional = mirror.displayStyle == .optional
        if isOptional, let wrapped = mirror.children.first?.value {
            self = ShortText(wrapped)
        } else if mirror.displayStyle == .enum, !(value is any CustomStringConvertible),
            let payload = mirror.children.first, let name = payload.label
        {
            let whole = Self.isWhole(payload.value) ? Self.sourceText(value) : name
            description = whole.count > Self.limit ? name : whole
        } else if Self.describesItself(value, mirror) {
            let line = "\(value)".split(whereSeparator: \.isNewline).joined(separator: " ")
            description = line.count > Self.limit ? line.prefix(Self.limit) + "…" : line
        } else {
            let text = Self.isWhole(value) ? Self.sourceText(value) : nil
            description = text.flatMap { $0.count > Self.limit ? nil : $0 } ?? "\(type(of: value))"
        }
    }

    private static func sourceText(_ value: Any) -> String {
        let text = SourceText(value).description
        return text.hasPrefix(".") ? String(text.dropFirst()) : text
    }

    private static func describesItself(_ value: Any, _ mirror: Mirror) -> Bool {
        switch mirror.displayStyle {
        case .collection, .dictionary, .set, .optional: false
        default: value is any CustomStringConvertible
        }
    }

    /// Whether a value has no part to which a property could be added.
    private static func isWhole(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .struct, .class: return describesItself(value, mirror)
        default: return describesItself(value, mirror) || mirror.children.allSatisfy { isWhole($0.value) }
        }
    }
}
