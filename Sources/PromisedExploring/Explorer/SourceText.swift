private import Foundation

/// A value as Swift source code, as far as reflection can reconstruct it.
struct SourceText: CustomStringConvertible {
    let description: String

    init(_ value: Any) { description = Self.text(of: value) }

    private static func text(of value: Any) -> String {
        switch value {
        case let duration as Duration: return text(of: duration)
        case is String, is Substring, is Character: return String(reflecting: value)
        case let number as any BinaryFloatingPoint: return text(of: number)
        case let url as URL: return "URL(string: \(String(reflecting: url.absoluteString)))!"
        case let id as UUID: return "UUID(uuidString: \"\(id)\")!"
        case let date as Date:
            return "Date(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))"
        case let decimal as Decimal: return "Decimal(string: \"\(decimal)\")!"
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
        guard let payload = mirror.children.first, let name = payload.label else {
            // A custom description hides the name of the case.
            return "\(value)".isName ? ".\(value)" : "/* \(value) */"
        }
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

    /// The type name with its enclosing types, without its module.
    private static func typeName(_ value: Any) -> String {
        let name = String(reflecting: type(of: value))
        guard !name.contains("<") else { return "\(type(of: value))" }
        let parts = name.split(separator: ".").filter { !$0.hasPrefix("(") }
        return parts.dropFirst().joined(separator: ".")
    }

    private static func text(of number: any BinaryFloatingPoint) -> String {
        if number.isNaN { return ".nan" }
        if number.isInfinite { return number.sign == .minus ? "-.infinity" : ".infinity" }
        return "\(number)"
    }

    private static func text(of duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        if attoseconds == 0 { return ".seconds(\(seconds))" }
        for (unit, size) in [
            ("milliseconds", 1_000), ("microseconds", 1_000_000), ("nanoseconds", 1_000_000_000),
        ] {
            let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: Int64(size))
            let part = attoseconds / (1_000_000_000_000_000_000 / Int64(size))
            guard !isTooLarge, duration == .seconds(seconds) + .seconds(1) / size * part else { continue }
            let (sum, isTooMuch) = whole.addingReportingOverflow(part)
            if !isTooMuch { return ".\(unit)(\(sum))" }
        }
        return "Duration(secondsComponent: \(seconds), attosecondsComponent: \(attoseconds))"
    }
}

extension String {
    fileprivate var isName: Bool {
        first?.isLetter == true && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
    fileprivate var isPlainWord: Bool { allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" } }
}
