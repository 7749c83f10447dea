/// The table, in Markdown, with its columns aligned.
struct Table {
    private var rows = [
        [
            "line", "what", "ours, ns", "allocations", "peer", "its ns", "its allocations", "times faster",
            "reach", "met",
        ]
    ]

    mutating func add(_ measured: Measured) {
        let line = measured.line
        let peers: [Comparison?] = measured.peers.isEmpty ? [nil] : measured.peers
        for (index, peer) in peers.enumerated() {
            let isFirst = index == 0
            rows.append([
                isFirst ? line.id : "", isFirst ? line.what : "",
                isFirst ? measured.ours.cost(line.isOfBytes) : "",
                isFirst ? measured.ours.memory(line) : "",
                peer?.name ?? "–", peer?.summary.cost(line.isOfBytes) ?? "–",
                peer?.summary.memory(line) ?? "–",
                peer.map { "\($0.ratio.twoDecimals) / \($0.ratioOfFewest.twoDecimals)" } ?? "–",
                isFirst ? line.reachText : "", line.verdict(measured.ours, peer),
            ])
        }
    }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map(\.[column].count).max()! }
        let lines = rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return "| " + cells.joined(separator: " | ") + " |"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|"
        return ([lines[0], rule] + lines.dropFirst()).joined(separator: "\n")
    }
}

extension Line {
    fileprivate var isOfBytes: Bool { reach.contains { if case .bytes = $0 { true } else { false } } }
    fileprivate var isOfGrowth: Bool { reach.contains { if case .growth = $0 { true } else { false } } }

    fileprivate var reachText: String {
        let reach = reach.map(\.text).joined(separator: ", ")
        return stretch.isEmpty ? reach : reach + " (stretch: \(stretch.map(\.text).joined(separator: ", ")))"
    }

    fileprivate func verdict(_ ours: Summary, _ peer: Comparison?) -> String {
        let missed = reach.filter { !$0.isReached(ours, peer) }
        guard missed.isEmpty else { return "no: " + missed.map(\.text).joined(separator: ", ") }
        let isStretched = !stretch.isEmpty && stretch.allSatisfy { $0.isReached(ours, peer) }
        return isStretched ? "yes, the stretch too" : "yes"
    }
}

extension Summary {
    fileprivate func cost(_ isOfBytes: Bool) -> String {
        isOfBytes ? "\(median.whole) B" : "\(median.readable) / \(fewest.readable)"
    }

    fileprivate func memory(_ line: Line) -> String {
        let text = allocations.rounded(toDecimals: 2)
        return line.isOfGrowth ? "\(text), \(growth.twoDecimals) MiB" : text
    }
}

extension Double {
    fileprivate var whole: String { "\(Int(rounded()))" }
    fileprivate var readable: String { self < 10 ? rounded(toDecimals: 1) : whole }
    fileprivate var twoDecimals: String { rounded(toDecimals: 2) }

    fileprivate func rounded(toDecimals decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let value = (self * scale).rounded() / scale
        return value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
}
