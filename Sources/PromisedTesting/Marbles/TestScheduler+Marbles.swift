import Promise
import PromisedSystem

extension TestScheduler {
    /// Plays rows of marbles from now on: does what they say at each tick, and fails the test where something else
    /// comes than they expect.
    ///
    /// The clock is moved to the last tick of the longest row. Up to there rows say all that comes; write more `-` to look
    /// for longer. At one instant, what rows do is done first, in the order of the rows, but behind what had waited for
    /// that instant before.
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
    ///   - rows: What is done, and what is expected.
    ///   - tick: How long a character lasts; more than zero.
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
        let heard = read.compactMap { $0.listen(on: self, tick, since: start) }
        for marbles in read { marbles.schedule(on: self, tick) }
        advance(to: start + tick * max(length - 1, 0))

        let inputs = read.filter(\.isInput).map(\.row)
        for (row, tape, token) in heard {
            token?.cancel()
            let tape = tape.withLock { $0 }
            guard let number = tape.difference(from: row, length) else { continue }
            fail(tape.text(number, inputs, row, length), place)
        }
    }
}

/// A row that could be read.
private struct ReadMarbles {
    let row: MarbleRow
    private let part: Marbles.Part
    /// What is done at each tick.
    private var actions: [[@Sendable () -> Void]] = []

    var isInput: Bool { if case .input = part { true } else { false } }

    /// Nil if there is something wrong with the row, which then has been told.
    init?(_ marbles: Marbles, _ place: TestPlace) {
        part = marbles.part
        do throws(MarbleReader.Problem) {
            let (row, columns) = try MarbleReader.read(marbles.text)
            self.row = row
            for (marks, columns) in zip(row.ticks, columns) {
                actions.append([])
                for (mark, column) in zip(marks, columns) {
                    let action = try Self.action(for: mark, column, part, place)
                    if let action { actions[actions.count - 1].append(action) }
                }
            }
        } catch {
            fail(error.text(marbles.text), place)
            return nil
        }
    }

    private static func action(
        for mark: MarbleRow.Mark, _ column: Int, _ part: Marbles.Part, _ place: TestPlace
    ) throws(MarbleReader.Problem) -> (@Sendable () -> Void)? {
        switch part {
        case .input(let act):
            if let action = act(mark, place) { return action }
        case .expected(let listening):
            if listening.knows(mark) { return nil }
        }
        throw .init(column, "the test does not say what \(mark.character) stands for")
    }

    func schedule(on scheduler: TestScheduler, _ tick: Duration) {
        for (number, actions) in actions.enumerated() {
            for action in actions { scheduler.schedule(after: tick * number, action) }
        }
    }

    func listen(
        on scheduler: TestScheduler, _ tick: Duration, since start: Duration
    ) -> (row: MarbleRow, tape: Lock<MarbleTape>, token: SubscriptionToken?)? {
        guard case .expected(let listening) = part else { return nil }
        let tape = Lock(MarbleTape(tick: tick))
        let token = listening.begin(scheduler) { [weak scheduler] marks, text in
            guard let scheduler else { return }
            let entry = MarbleTape.Entry(instant: scheduler.now - start, marks: marks, text: text)
            tape.withLock { $0.entries.append(entry) }
        }
        return (row, tape, token)
    }
}

extension MarbleReader.Problem {
    /// - Parameter row: As it was given.
    fileprivate func text(_ row: String) -> String {
        """
        A row cannot be read at its column \(column + 1): \(reason).

            \(row)
            \(String(repeating: " ", count: column))^

        A character is one tick: - is nothing, (ab) are several at one instant, | is the end, # is an error, and \
        every other stands for what the test says. Spaces take no time.
        """
    }
}
