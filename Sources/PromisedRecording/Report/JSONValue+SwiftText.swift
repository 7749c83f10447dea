extension JSONValue {
    /// The value as the Swift source of the encoded value, as far as it is known: a case of an enum, which Swift
    /// encodes as `{"add":{"_0":"tea","count":2}}`, is `.add("tea", count: 2)`. A long one is cut.
    var swiftText: String {
        guard size(upTo: 400) <= 400 else { return enumCase.map { ".\($0.name)(…)" } ?? shortText }
        guard let (name, arguments) = enumCase else { return text }
        return arguments.isEmpty ? ".\(name)" : ".\(name)(\(Self.list(arguments)))"
    }

    /// The value as the arguments of a call, without the parentheses.
    var argumentText: String {
        if let elements = array, size(upTo: 400) <= 400 {
            return elements.map(\.swiftText).joined(separator: ", ")
        }
        return self == .null ? "" : swiftText
    }

    /// The name and the values of an encoded case of an enum.
    var enumCase: (name: String, arguments: [JSONMember])? {
        guard let members = object, members.count == 1, let member = members.first else { return nil }
        return member.value.object.map { (member.key, $0) }
    }

    private static func list(_ arguments: [JSONMember]) -> String {
        arguments.map { argument in
            let isLabel = !(argument.key.first == "_" && argument.key.dropFirst().first?.isNumber == true)
            return (isLabel ? "\(argument.key): " : "") + argument.value.swiftText
        }
        .joined(separator: ", ")
    }
}

extension Int {
    /// A number of nanoseconds with three digits and a unit, such as `12.3 ms`.
    var timeText: String {
        let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs")]
        guard let (size, unit) = units.first(where: { Swift.abs(Double(self)) >= Double($0.0) }) else {
            return "\(self) ns"
        }
        let value = Double(self) / Double(size)
        let scale = value < 10 ? 100.0 : value < 100 ? 10 : 1
        let rounded = (value * scale).rounded() / scale
        return rounded == rounded.rounded() ? "\(Int(rounded)) \(unit)" : "\(rounded) \(unit)"
    }
}
