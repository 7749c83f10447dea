import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

@Suite struct PathIndexTests {
    struct Key: FetchKey {
        let path: [String]
        func fetch(from client: Int) -> Promise<Int> { .value(client) }
    }

    @Test("entries are found by each prefix of their paths, in the order in which they were made")
    func random() {
        var dice = SeededGenerator(seed: firstSeed())
        for _ in 0..<rounds(200, stress: 10_000) {
            let fetches = Fetches(from: 1, on: TestScheduler())
            var entries: [[String]: FetchEntry<Key>] = [:]
            let index = PathIndex()
            func path() -> [String] {
                (0..<Int.random(in: 0...3, using: &dice)).map { _ in ["a", "b"].randomElement(using: &dice)! }
            }
            for _ in 0..<12 {
                let path = path()
                if let entry = entries.removeValue(forKey: path) {
                    index.remove(entry.number, at: path)
                } else {
                    let entry = fetches.entry(Key(path: path))
                    entries[path] = entry
                    index.add(entry)
                }
                let prefix = self.prefix(of: path, &dice)
                let expected = entries.values.filter { $0.path.starts(with: prefix) }.map(\.number).sorted()
                #expect(index.entries(under: prefix).map(\.number) == expected)
            }
        }
    }

    private func prefix(of path: [String], _ dice: inout SeededGenerator) -> [String] {
        Array(path.prefix(Int.random(in: 0...3, using: &dice)))
    }

    @Test("keys without a path, and keys whose entries are gone")
    func gone() {
        let fetches = Fetches(from: 1, on: TestScheduler())
        let index = PathIndex()
        do {
            let entry = fetches.entry(Key(path: []))
            index.add(entry)
            #expect(index.entries(under: []).count == 1 && index.entries(under: ["a"]).isEmpty)
        }
        #expect(index.entries(under: []).isEmpty)
        index.remove(7, at: ["a", "b"])
    }
}
