/// By configuration at rest, the numbers that bring a system there: ``WorldConfiguration/rest``.
struct RestTable: Sendable {
    /// By configuration, where its numbers are in `words`: first how many there are.
    private var places: [Int32: Int32] = [:]
    private var words: [Int] = []

    func contains(_ node: Int) -> Bool { places[Int32(node)] != nil }

    subscript(node: Int) -> [Int]? {
        guard let place = places[Int32(node)].map(Int.init) else { return nil }
        return Array(words[(place + 1)...][..<(place + 1 + words[place])])
    }

    mutating func add(_ rest: [Int], of node: Int) {
        places[Int32(node)] = Int32(words.count)
        words.append(rest.count)
        words += rest
    }

    /// The configurations, in the order in which they were added.
    var nodes: [Int] { places.sorted { $0.value < $1.value }.map { Int($0.key) } }

    /// The size of the entries.
    var bytes: Int {
        places.count * 2 * MemoryLayout<Int32>.stride + words.count * MemoryLayout<Int>.stride
    }
}
