internal import PromisedSystem

/// The names of the states in a diagram that are no enums: for a struct, the properties in which the states differ.
struct StateNames {
    /// The paths of the properties that are not the same in all states.
    private var differing: Set<String> = []
    private var names: [Int: String] = [:]
    private var used: Set<String> = []

    private static var longestPart: Int { 32 }

    init(_ states: [Any]) {
        var first: [String: String] = [:]
        for state in states {
            for (path, text) in Self.properties(of: state) where first[path] != text {
                if first[path] == nil { first[path] = text } else { differing.insert(path) }
            }
        }
    }

    /// The name of a state. States with different numbers have different names, though long properties are cut.
    mutating func name(of state: Any, number: Int) -> String {
        if let name = names[number] { return name }
        let parts = Self.properties(of: state).filter { differing.contains($0.path) }
            .map {
                "\($0.path): \($0.text.count > Self.longestPart ? $0.text.prefix(Self.longestPart) + "…" : $0.text)"
            }
        let name = parts.isEmpty ? StateText(state).description : parts.joined(separator: ", ")
        var (candidate, copy) = (name, 1)
        while !used.insert(candidate).inserted {
            copy += 1
            candidate = "\(name) (\(copy))"
        }
        names[number] = candidate
        return candidate
    }

    /// The properties of a struct, and of the structs in it, as source text; none for any other value.
    private static func properties(of value: Any, at path: String = "") -> [(path: String, text: String)] {
        guard StateText.hasProperties(value) else {
            return path.isEmpty ? [] : [(path, "\(SourceText(value))")]
        }
        return Mirror(reflecting: value).children.flatMap { child in
            properties(of: child.value, at: path.isEmpty ? child.label ?? "" : "\(path).\(child.label ?? "")")
        }
    }
}
