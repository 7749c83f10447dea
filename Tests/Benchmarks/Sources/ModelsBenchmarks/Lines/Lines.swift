extension Line {
    static let all =
        [write, writeInLarge, observed, tracked, read, readInLarge, row, insert, memory] + growth + [chain]
}
