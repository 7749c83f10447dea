/// By configuration at rest, the numbers that bring a system there: of its state, and of the variables.
struct RestTable: Sendable {
    /// By configuration, where its numbers are in `words`, first how many there are; -1 if it is not at rest.
    private var places: [Int32] = []
    private var words: [Int] = []
    private var count = 0

    func contains(_ node: Int) -> Bool { node < places.count && places[node] >= 0 }

    subscript(node: Int) -> ArraySlice<Int>? {
        guard contains(node) else { return nil }
        let place = Int(places[node])
        return words[(place + 1)...(place + words[place])]
    }

    mutating func add(_ state: Int, _ variables: some Collection<Int>, of node: Int) {
        while places.count <= node { places.append(-1) }
        places[node] = Int32(words.count)
        words.append(1 + variables.count)
        words.append(state)
        words += variables
        count += 1
    }

    /// The configurations.
    var nodes: [Int] { places.indices.filter { places[$0] >= 0 } }

    /// The size of the entries.
    var bytes: Int {
        count * 2 * MemoryLayout<Int32>.stride + words.count * MemoryLayout<Int>.stride
    }
}
