/// Makes the labels of calls unique: a later call of the same name gets a number.
struct CallLabels: Sendable {
    private var count: [String: Int] = [:]
    /// Names of calls that themselves end in a number, and so could equal another call's label.
    private var numbered: Set<String> = []

    /// - Returns: The number to append to the name; 1 where the name alone is unique.
    mutating func next(_ name: String) -> Int {
        var number = (count[name] ?? 0) + 1
        if number == 1, let (stem, end) = name.stemAndNumber {
            // "write 2" is also the label of the second call "write".
            if count[stem, default: 0] >= end { number = 2 } else { numbered.insert(name) }
        }
        while number > 1, !numbered.isEmpty, numbered.contains("\(name) \(number)") { number += 1 }
        count[name] = number
        return number
    }
}

extension String {
    /// The text before the last space, and the number after it if another call's label could end so; nil otherwise.
    fileprivate var stemAndNumber: (stem: String, number: Int)? {
        guard utf8.last.map({ (48...57).contains($0) }) == true, let space = lastIndex(of: " "),
            let number = Int(self[index(after: space)...]), number > 1
        else { return nil }
        return (String(self[..<space]), number)
    }
}
