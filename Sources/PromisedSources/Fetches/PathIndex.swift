internal import Promise

/// Finds the entries whose paths begin with a path, without looking at the others.
final class PathIndex: Sendable {
    private struct Member: Sendable {
        weak let entry: (any AnyFetchEntry)?
    }

    private struct PathEdge: Hashable, Sendable {
        let parent: Int
        let name: String
    }

    private struct PathNode: Sendable {
        let edge: PathEdge?
        /// By the numbers of the entries.
        var members: [Int: Member] = [:]
        var children: Set<Int> = []
    }

    private struct PathTree: Sendable {
        /// By number; the root is 0.
        var nodes = [0: PathNode(edge: nil)]
        var edges: [PathEdge: Int] = [:]
        var last = 0

        /// The number of the node at a path.
        func node(at path: [String]) -> Int? {
            var node = 0
            for name in path {
                guard let child = edges[PathEdge(parent: node, name: name)] else { return nil }
                node = child
            }
            return node
        }

        mutating func makeNode(at path: [String]) -> Int {
            path.reduce(0) { parent, name in
                let edge = PathEdge(parent: parent, name: name)
                if let child = edges[edge] { return child }
                last += 1
                (nodes[last], edges[edge]) = (PathNode(edge: edge), last)
                nodes[parent]?.children.insert(last)
                return last
            }
        }

        /// Removes a node that holds nothing, and those above it that then hold nothing.
        mutating func prune(_ number: Int) {
            var number = number
            while let node = nodes[number], let edge = node.edge, node.members.isEmpty, node.children.isEmpty
            {
                (nodes[number], edges[edge]) = (nil, nil)
                nodes[edge.parent]?.children.remove(number)
                number = edge.parent
            }
        }
    }

    private let tree = Lock(PathTree())

    func add(_ entry: some AnyFetchEntry) {
        let (path, number) = (entry.path, entry.number)
        tree.withLock { tree in
            let node = tree.makeNode(at: path)
            tree.nodes[node]?.members[number] = Member(entry: entry)
        }
    }

    func remove(_ number: Int, at path: [String]) {
        tree.withLock { tree in
            guard let node = tree.node(at: path) else { return }
            tree.nodes[node]?.members[number] = nil
            tree.prune(node)
        }
    }

    /// In the order in which they were made.
    func entries(under path: [String]) -> [any AnyFetchEntry] {
        let members = tree.withLock { tree in
            var (found, open) = ([Member](), [tree.node(at: path)].compactMap(\.self))
            while let node = open.popLast().flatMap({ tree.nodes[$0] }) {
                found += node.members.values
                open += node.children
            }
            return found
        }
        // Weak references are loaded here and not under the lock, as that may release an entry.
        return members.compactMap(\.entry).sorted { $0.number < $1.number }
    }
}
