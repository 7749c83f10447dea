extension String {
    /// The text as it may be drawn: visible, and no character of it larger than any that is written.
    ///
    /// A single letter can carry a megabyte of accents, and no terminal draws more than a few.
    var drawable: String {
        let text = visible
        guard text.contains(where: \.isOversized) else { return text }
        return text.reduce(into: "") { result, character in
            if character.isOversized {
                result.unicodeScalars.append(contentsOf: character.unicodeScalars.prefix(Character.bound))
            } else {
                result.append(character)
            }
        }
    }
}

extension Character {
    /// The longest in use, a family of four with their skin colours, has 11 parts.
    fileprivate static let bound = 16

    fileprivate var isOversized: Bool {
        utf8.count > Self.bound && unicodeScalars.count > Self.bound
    }
}
