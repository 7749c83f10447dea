private import Foundation
internal import PromisedSystem

/// A value as Swift source code, as far as reflection can reconstruct it.
struct SourceText: CustomStringConvertible {
    let description: String

    init(_ value: Any) { description = Self.notation.text(of: value) }

    private static let notation = SwiftNotation(
        whole: { value, mirror in
            switch value {
            case let duration as Duration: text(of: duration)
            // Bound, as an optional text is a text as well.
            case let text as String: String(reflecting: text)
            case let text as Substring: String(reflecting: text)
            case let character as Character: String(reflecting: character)
            case let number as any BinaryFloatingPoint: text(of: number)
            case let url as URL: "URL(string: \(String(reflecting: url.absoluteString)))!"
            case let id as UUID: "UUID(uuidString: \"\(id)\")!"
            case let date as Date:
                "Date(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))"
            case let decimal as Decimal: "Decimal(string: \"\(decimal)\")!"
            default:
                mirror.displayStyle == .struct && mirror.children.isEmpty && "\(value)".isPlainWord
                    ? "\(value)" : nil
            }
        },
        caseName: { caseName($0) }, typeName: { typeName($0) })

    /// A custom description hides the name of the case; then a raw value or the place among all cases identifies it.
    private static func caseName(_ value: Any) -> String {
        if !(value is any CustomStringConvertible || value is any CustomDebugStringConvertible) {
            return ".\(value)"
        }
        func place<Value: CaseIterable>(_ value: Value) -> Int? {
            Value.allCases.firstIndex { $0 as? AnyHashable == value as? AnyHashable }
                .map { Value.allCases.distance(from: Value.allCases.startIndex, to: $0) }
        }
        if let value = value as? any RawRepresentable {
            return "\(typeName(value))(rawValue: \(SourceText(value.rawValue)))!"
        }
        if let value = value as? any CaseIterable, let place = place(value) {
            return "\(typeName(value)).allCases[\(place)]"
        }
        return "\(value)".isName ? ".\(value)" : "/* \(value) */"
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
