/// Finds what was probably meant.
enum NearMiss {
    /// The closest candidate: the only one that begins with the word, or one that differs in two letters at most.
    static func suggestion(for word: String, among candidates: [String]) -> String? {
        // Longer than any name; and to compare costs the product of both lengths.
        guard (2...32).contains(word.count) else { return nil }
        let longer = candidates.filter { $0.hasPrefix(word) }
        if let only = longer.first, longer.count == 1 { return only }
        return candidates.map { ($0, distance($0, word)) }.filter { $0.1 <= 3 && $0.1 < word.count }
            .min { $0.1 < $1.1 }?.0
    }

    /// Letters to insert and to drop: one that is replaced or swapped counts as two.
    private static func distance(_ first: String, _ second: String) -> Int {
        first.difference(from: second).count
    }
}
