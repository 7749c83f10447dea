/// The cost of all runs of one contender, per operation.
struct Summary: Sendable {
    let median: Double
    let fewest: Double
    let allocations: Double
    /// In mebibytes.
    let growth: Double
}

/// A peer compared with ours, each repeat with the repeat that ran right before it.
struct Comparison: Sendable {
    let name: String
    let summary: Summary
    /// How many times faster ours is: the median over the repeats, and by the fastest repeats.
    let ratio: Double
    let ratioOfFewest: Double
}

/// One line, measured.
struct Measured: Sendable {
    let line: Line
    let ours: Summary
    let peers: [Comparison]
}

extension Line {
    /// Measures this line: a run to warm up, one to count allocations, and then `repeats` timed ones, each of which
    /// runs every contender.
    func measure(repeats: Int, quick: Bool) -> Measured {
        let operations = quick ? max(operations / 10, smallest) : operations
        let fewer = max(operations / 10, smallest)
        let counted = contenders.map { contender in
            _ = contender.run(fewer)
            return count(contender, fewer)
        }
        check(counted)
        var times: [[Double]] = contenders.map { _ in [] }
        for _ in 0..<repeats {
            let samples = contenders.map { $0.run(operations) }
            check(samples)
            for (index, sample) in samples.enumerated() {
                times[index].append(sample.nanoseconds / Double(operations))
            }
        }
        let summaries = zip(counted, times).map { counted, times in
            Summary(
                median: times.median, fewest: times.min()!,
                allocations: Double(counted.allocations) / Double(fewer),
                growth: Double(counted.growth) / Double(1 << 20))
        }
        let compared = peers.indices.map { index in
            Comparison(
                name: peers[index].name, summary: summaries[index + 1],
                ratio: zip(times[index + 1], times[0]).map { $0 / $1 }.median,
                ratioOfFewest: summaries[index + 1].fewest / summaries[0].fewest)
        }
        return Measured(line: self, ours: summaries[0], peers: compared)
    }

    private func check(_ samples: [Sample]) {
        let sums = Set(samples.map(\.sum))
        if sums.count > 1 { fatalError("Line \(id): ours and its peers computed different things: \(sums)") }
    }
}

extension [Double] {
    var median: Double {
        let sorted = sorted()
        let middle = count / 2
        return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
