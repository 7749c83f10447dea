/// The last lines of a session, in segments that can be read alone.
struct RingSegments: Sendable {
    private struct Segment: Sendable {
        let turn: Int
        var lines: [UInt8] = []
    }

    private var segments = [Segment(turn: 0)]
    private(set) var size = 0

    /// The oldest segments are dropped beyond this, even if turns are then missing.
    private static let maximumSize = 64 << 20

    var lines: [UInt8] { Array(segments.map(\.lines).joined()) }

    /// The next lines are a segment that begins after a turn.
    mutating func begin(at turn: Int) { segments.append(Segment(turn: turn)) }

    /// Adds lines, and drops the segments that are not needed for so many turns before the current one.
    mutating func add(_ lines: [UInt8], keeping turns: Int, of turn: Int) {
        segments[segments.count - 1].lines += lines
        size += lines.count
        while segments.count > 1, segments[1].turn <= turn - turns || size > Self.maximumSize {
            size -= segments.removeFirst().lines.count
        }
    }
}
