/// Reads what is named rather than described: a brand, an image.
struct ThingReading {
    private struct Thing {
        var name: String?
        var address: String?
    }

    private let data: LinkedData
    /// What a reference came to; the text is then one in memory, however many products share it.
    private var known: [String: Thing] = [:]

    init(_ data: LinkedData) { self.data = data }

    /// A text, or the name of an object such as a `Brand`.
    mutating func name(_ value: JSON) -> String? {
        value.elements.first.flatMap { thing($0).name }
    }

    /// The addresses of images: texts, or `ImageObject`s, each once.
    mutating func addresses(_ value: JSON?) -> [String] {
        var addresses: [String] = []
        for element in value?.elements ?? [] {
            guard let address = thing(element).address, !addresses.contains(address) else { continue }
            addresses.append(address)
            // More than any page shows; and looking for repetitions stays cheap.
            if addresses.count == 100 { break }
        }
        return addresses
    }

    private mutating func thing(_ value: JSON) -> Thing {
        if let text = value.text.flatMap(PlainText.line) { return Thing(name: text, address: text) }
        guard let node = value.members else { return Thing() }
        guard let (id, target) = data.target(of: node) else { return read(node) }
        let thing = known[id] ?? read(target)
        known[id] = thing
        return thing
    }

    private func read(_ node: [String: JSON]) -> Thing {
        let address = node["url"] ?? node["contentUrl"] ?? node["@id"]
        return Thing(
            name: node["name"]?.text.flatMap(PlainText.line), address: address?.text.flatMap(PlainText.line))
    }
}
