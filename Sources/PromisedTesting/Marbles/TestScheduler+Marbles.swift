import Promise
import PromisedSystem

extension TestScheduler {
    /// Plays rows of marbles from the current instant: performs the inputs at each tick, and fails the test where what
    /// is emitted differs from the expected rows.
    ///
    /// The clock advances to the last tick of the longest row. Up to there, rows must state everything that is emitted;
    /// append `-` to observe for longer. At one instant, inputs are performed first, in the order of the rows, but
    /// after the work that was scheduled for that instant before the call.
    ///
    /// ```swift
    /// import Promise
    /// import PromisedTesting
    ///
    /// let scheduler = TestScheduler()
    /// let promise = Promise.value("b").delay(.milliseconds(300)).interim("a")
    /// scheduler.play(.expect("a--(b|)", of: promise), tick: .milliseconds(100))
    /// ```
    ///
    /// - Parameters:
    ///   - rows: The inputs, and the expected rows. Nothing is played if one of them is malformed.
    ///   - tick: The duration of a character; more than zero.
    public func play(
        _ rows: Marbles..., tick: Duration = .seconds(1), fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let place = TestPlace(fileID, filePath, line, column)
        guard tick > .zero else {
            return fail("A tick of \(tick) takes no time. Give play a longer one.", place)
        }
        let read = rows.compactMap { ReadMarbles($0, place) }
        guard read.count == rows.count else { return }
        let length = read.map(\.row.ticks.count).max() ?? 0
        let start = now
        let observed = read.compactMap { $0.listen(on: self, tick, since: start) }
        for marbles in read { marbles.schedule(on: self, tick) }
        advance(to: start + tick * max(length - 1, 0), at: place)

        let inputs = read.filter(\.isInput).map(\.row)
        for (row, tape, token) in observed {
            token?.cancel()
            let tape = tape.withLock { $0 }
            guard let number = tape.difference(from: row, length) else { continue }
            fail(tape.text(number, inputs, row, length), place)
        }
    }
}
