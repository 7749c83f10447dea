/// Where values got their numbers, in order. Repeated in another process, the same steps give equal values the same
/// numbers, so that the fingerprints of configurations are the same.
struct NumberingLog: Sendable {
    struct Assignment: Sendable {
        enum Occasion: Sendable {
            /// A system was built and started.
            case start
            /// A step was executed whose target was unknown, or was known already.
            case explored(node: Int, choice: Int), repeated(node: Int, choice: Int)
        }

        let node: Int32
        let choice: Int32
        /// The number of values afterwards.
        let count: Int32

        init(_ place: Occasion, count: Int) {
            (node, choice) =
                switch place {
                case .start: (-1, 0)
                case .explored(let node, let choice): (Int32(node), Int32(choice))
                case .repeated(let node, let choice): (Int32(node), -1 - Int32(choice))
                }
            self.count = Int32(count)
        }

        var place: Occasion {
            if node < 0 { return .start }
            return choice < 0
                ? .repeated(node: Int(node), choice: Int(-1 - choice))
                : .explored(node: Int(node), choice: Int(choice))
        }
    }

    private(set) var entries: [Assignment]

    init(entries: [Assignment] = []) { self.entries = entries }

    /// The number of values so far.
    var count: Int { entries.last.map { Int($0.count) } ?? 0 }
    var bytes: Int { entries.count * MemoryLayout<Assignment>.stride }

    mutating func add(_ entry: Assignment) { entries.append(entry) }
}
