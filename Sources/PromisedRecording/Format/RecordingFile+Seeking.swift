extension RecordingFile {
    /// How far back a segment is looked for: so much is read in a second.
    private static let maximumDistance = 1 << 30

    /// The offset of the last line before `end` that begins a segment at or before `turn`; nil if there is none. Reads
    /// backwards.
    func segmentStart(before end: Int, turn: Int) throws(RecordingError) -> Int? {
        var last = end
        while last > max(0, end - Self.maximumDistance) {
            let first = max(0, last - Self.pieceSize)
            let piece = try piece(at: first, extra: LinePrefix.maximumLength)
            for index in (0..<min(last - first, piece.count)).reversed()
            where index == 0 ? first == 0 : piece[index - 1] == UInt8(ascii: "\n") {
                guard let prefix = LinePrefix(piece[index...]) else { continue }
                if prefix.kind.beginsSegment, prefix.turn <= turn { return first + index }
            }
            // A line that begins with a piece is seen with the piece before.
            last = first == 0 ? 0 : first + 1
        }
        return nil
    }

    /// The offset of the first line after all of `turn`, or the end of the file.
    ///
    /// Halves the file: the turns of the lines never fall. Where they do, the file is damaged, and a line counts only
    /// if the turn of the next one is not lower.
    func end(ofTurn turn: Int) throws(RecordingError) -> Int {
        if turn == .max { return size }
        var (low, high) = (0, size)
        while high - low > Self.pieceSize {
            let middle = low + (high - low) / 2
            if let found = try firstLine(from: middle, before: high, after: -1), found.turn <= turn {
                low = found.offset
            } else {
                high = middle
            }
        }
        return try firstLine(from: low, before: size, after: turn)?.offset ?? size
    }

    /// The first line that begins after `start`, or at it, has a higher turn than `turn`, and is confirmed by the next.
    private func firstLine(
        from start: Int, before end: Int, after turn: Int
    ) throws(RecordingError) -> (offset: Int, turn: Int)? {
        var candidate: (offset: Int, turn: Int)?
        // From the byte before, whose line is left out: it began earlier.
        let first = max(0, start - 1)
        try forEachLine(from: first, keeping: LinePrefix.maximumLength) { (line) throws(RecordingError) in
            if line.offset == first, start > 0 { return true }
            guard let next = LinePrefix(line.bytes)?.turn else { return line.offset < end }
            if let candidate, next >= candidate.turn { return false }
            candidate = line.offset < end && next > turn ? (line.offset, next) : nil
            return line.offset < end
        }
        return candidate
    }
}
