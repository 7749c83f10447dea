/// What `--events` sends, in this order.
struct Script: Sendable, Equatable {
    /// The words. `wait`, which is no event, lets the page come to rest.
    static let words: KeyValuePairs<String, ProductPage.Event?> = [
        "load": .load, "add": .add, "remove": .remove, "refresh": .refresh, "next": .next,
        "previous": .previous,
        "cancel": .cancel, "wait": nil,
    ]

    var events: [ProductPage.Event?] = []
}

extension Script {
    /// Reads `load,add wait`: words between commas, spaces or line breaks, in any case.
    ///
    /// - Throws: `PageError.usage` naming the first word that is no event.
    init(_ text: String) throws(PageError) {
        for word in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            guard let known = Self.words.first(where: { $0.key == word.lowercased() }) else {
                let names = Self.words.map(\.key)
                let near = closest(to: word.lowercased(), among: names).map { "did you mean \($0)?" }
                let hint = near ?? "the events are \(names.joined(separator: ", "))"
                throw .usage("unknown event '\(String(word).shortened(to: 40))'; \(hint)")
            }
            events.append(known.value)
        }
    }
}
