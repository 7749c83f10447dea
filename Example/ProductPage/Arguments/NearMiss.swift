/// Finds what someone probably meant to type.
enum NearMiss {
    /// The closest candidate: one that begins with the word, or differs in two letters at most.
    static func suggestion(for word: String, among candidates: [String]) -> String? {
        // Longer than any name; and the distance costs the product of both lengths.
        guard word.count >= 2, word.count <= 32 else { return nil }
        let longer = candidates.filter { $0.hasPrefix(word) }
        if let only = longer.first, longer.count == 1 { return only }
        let bound = word.count < 5 ? 1 : 2
        return candidates.map { ($0, distance($0, word)) }
            .filter { $0.1 <= bound }
            .min { $0.1 < $1.1 }?.0
    }

    /// Letters to insert, drop, replace or swap with their neighbour.
    static func distance(_ first: String, _ second: String) -> Int {
        let first = Array(first)
        let second = Array(second)
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for (i, letter) in first.enumerated() {
            var row = [i + 1]
            for (j, other) in second.enumerated() {
                var best = min(last[j] + (letter == other ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, letter == second[j - 1], first[i - 1] == other {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[second.count]
    }
}
