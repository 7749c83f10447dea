import Foundation
import TestSupport
import Testing

@testable import PromisedSources

/// The order in which a cache drops its values, against a plain model.
@Suite struct CacheIndexTests {
    /// A list of values, the oldest first, from which one after the other is dropped.
    private struct Model {
        struct Value {
            var name: String
            var size: Int
            var priority: CachePriority
            var deadline: Date?
        }

        var values: [Value] = []
        var options: CacheOptions

        var size: Int { values.reduce(0) { $0 + $1.size } }

        var isFull: Bool {
            if let count = options.maximumCount, values.count > count { return true }
            if let limit = options.maximumSize, size > limit { return true }
            return false
        }

        mutating func add(_ value: Value, at now: Date) -> [String] {
            values.removeAll { $0.name == value.name }
            let alone = Model(values: [value], options: options)
            if alone.isFull, value.priority != .discardNever { return [value.name] }
            values.append(value)
            return shrink(at: now)
        }

        mutating func shrink(at now: Date) -> [String] {
            var names: [String] = []
            while isFull, let index = next(at: now) { names.append(values.remove(at: index).name) }
            return names
        }

        func next(at now: Date) -> Int? {
            let free = values.indices.filter { values[$0].priority != .discardNever }
            let expired = free.filter { index in values[index].deadline.map { $0 <= now } ?? false }
            let candidates = expired.isEmpty ? free : expired
            let lowest = candidates.map { values[$0].priority }.min()
            return candidates.first { values[$0].priority == lowest }
        }

        mutating func reduce(at now: Date) -> [String] {
            var names: [String] = []
            while let index = next(at: now) {
                let value = values[index]
                let isExpired = value.deadline.map { $0 <= now } ?? false
                guard isExpired || value.priority == .low else { break }
                names.append(value.name)
                values.remove(at: index)
            }
            return names
        }
    }

    @Test("SA-58: thousands of random cases drop what the plain model drops, in its order")
    func randomCases() {
        var random = SeededGenerator(seed: firstSeed())
        for seed in 0..<rounds(2_000, stress: 10_000) {
            func options() -> CacheOptions {
                CacheOptions(
                    maximumCount: Bool.random(using: &random) ? Int.random(in: 0...6, using: &random) : nil,
                    maximumSize: Bool.random(using: &random) ? Int.random(in: 0...20, using: &random) : nil)
            }
            let first = options()
            var (index, model, now) = (CacheIndex<String>(first), Model(options: first), 0.0)
            for step in 0..<12 {
                now += Double(Int.random(in: 0...2, using: &random))
                let date = Date(timeIntervalSince1970: now)
                let name = "\(Int.random(in: 0..<8, using: &random))"
                let dropped: [[String]]
                switch Int.random(in: 0..<8, using: &random) {
                case 0:
                    index.remove(name)
                    model.values.removeAll { $0.name == name }
                    dropped = [[], []]
                case 1:
                    let next = options()
                    model.options = next
                    dropped = [index.limit(to: next, at: date), model.shrink(at: date)]
                case 2: dropped = [index.reduce(at: date), model.reduce(at: date)]
                default:
                    let value = Model.Value(
                        name: name, size: Int.random(in: 0...8, using: &random),
                        priority: CachePriority(rawValue: Int.random(in: 0...3, using: &random)) ?? .medium,
                        deadline: Bool.random(using: &random)
                            ? date.addingTimeInterval(Double(Int.random(in: 0...4, using: &random))) : nil)
                    dropped = [
                        index.add(
                            name, size: value.size, priority: value.priority, deadline: value.deadline,
                            at: date),
                        model.add(value, at: date),
                    ]
                }
                #expect(dropped[0] == dropped[1], "case \(seed), step \(step)")
                #expect(Set(index.items.keys) == Set(model.values.map(\.name)), "case \(seed), step \(step)")
                #expect(index.totalSize == model.size, "case \(seed), step \(step)")
                guard dropped[0] == dropped[1] else { return }
            }
        }
    }
}
