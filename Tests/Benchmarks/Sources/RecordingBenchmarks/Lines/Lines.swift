extension Line {
    /// Every line, in the order of the table.
    static let all: [Line] = [recorded, recordedUntilWritten, recordedAtOnce, seek, rerun]
}
