import Promise
import PromisedSystem

/// A row that was parsed successfully.
struct ReadMarbles {
    let row: MarbleRow
    private let part: Marbles.Segment
    /// The actions of each tick.
    private var actions: [[@Sendable () -> Void]] = []

    var isInput: Bool { if case .input = part { true } else { false } }

    /// Returns nil after reporting a failure if the row is malformed or has a character without a meaning.
    init?(_ marbles: Marbles, _ place: TestPlace) {
        part = marbles.part
        do throws(MarbleReader.MarbleProblem) {
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
        for mark: MarbleRow.Mark, _ column: Int, _ part: Marbles.Segment, _ place: TestPlace
    ) throws(MarbleReader.MarbleProblem) -> (@Sendable () -> Void)? {
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
            let entry = MarbleTape.Emission(instant: scheduler.now - start, marks: marks, text: text)
            tape.withLock { $0.entries.append(entry) }
        }
        return (row, tape, token)
    }
}

extension MarbleReader.MarbleProblem {
    /// - Parameter row: The text of the row.
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
