/// Which number behind its name tells a call from those of the same name before it.
struct Labels: Sendable {
    private var count: [String: Int] = [:]
    /// Names of calls that end in a number, as the others' labels do.
    private var numbered: Set<String> = []

    /// - Returns: 1 where the name alone will do.
    mutating func next(_ name: String) -> Int {
        var number = (count[name] ?? 0) + 1
        if number == 1, let (stem, end) = name.stemAndNumber {
            // "write 2" is what the second "write" goes by.
            if count[stem, default: 0] >= end { number = 2 } else { numbered.insert(name) }
        }
        while number > 1, !numbered.isEmpty, numbered.contains("\(name) \(number)") { number += 1 }
        count[name] = number
        return number
    }
}

extension String {
    /// What is before the last space, and the number behind it, if it may be that of another call.
    fileprivate var stemAndNumber: (stem: String, number: Int)? {
        guard utf8.last.map({ (48...57).contains($0) }) == true, let space = lastIndex(of: " "),
            let number = Int(self[index(after: space)...]), number > 1
        else { return nil }
        return (String(self[..<space]), number)
    }
}
