extension Line {
    static let all =
        [write, writeInLarge, observed, read, readInLarge, row, insert, memory] + growth + [chain]
}
