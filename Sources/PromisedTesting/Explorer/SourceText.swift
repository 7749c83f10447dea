/// A value as one would write it in a program, as far as can be told from what it is made of.
struct SourceText: CustomStringConvertible {
    let description: String

    init(_ value: Any) { description = Self.text(of: value) }

    private static func text(of value: Any) -> String {
        switch value {
        case let duration as Duration: return text(of: duration)
        case is String, is Substring, is Character: return String(reflecting: value)
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "nil"
        case .enum: return enumText(value, mirror)
        case .struct where mirror.children.isEmpty && "\(value)".isPlainWord: return "\(value)"
        case .struct: return typeName(value) + "(" + arguments(mirror) + ")"
        case .tuple: return "(" + arguments(mirror) + ")"
        case .collection:
            return "[" + mirror.children.map { text(of: $0.value) }.joined(separator: ", ") + "]"
        case .set:
            return "[" + mirror.children.map { text(of: $0.value) }.sorted().joined(separator: ", ") + "]"
        case .dictionary: return dictionaryText(mirror)
        default: return "\(value)"
        }
    }

    private static func enumText(_ value: Any, _ mirror: Mirror) -> String {
        guard let payload = mirror.children.first, let name = payload.label else { return ".\(value)" }
        let inner = Mirror(reflecting: payload.value)
        let arguments =
            inner.displayStyle == .tuple ? arguments(inner) : text(of: payload.value)
        return ".\(name)(\(arguments))"
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

    private static func typeName(_ value: Any) -> String { "\(type(of: value))" }

    private static func text(of duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = attoseconds / 1_000_000_000
        return switch (seconds, nanoseconds) {
        case (_, 0): ".seconds(\(seconds))"
        case (_, _) where nanoseconds % 1_000_000 == 0:
            ".milliseconds(\(seconds * 1_000 + nanoseconds / 1_000_000))"
        default: ".nanoseconds(\(seconds * 1_000_000_000 + nanoseconds))"
        }
    }
}

extension String {
    fileprivate var isPlainWord: Bool { allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" } }
}
