internal import Promise

extension TimeTravel {
    /// The latest turns. Their numbers go on when older ones are removed.
    struct TravelHistory: Sendable {
        private(set) var turns: History<Turn>
        private let limit: HistoryLimit
        private var end = 0

        init(_ limit: HistoryLimit, _ first: Turn) {
            (self.limit, turns) = (limit, History(limit))
            _ = append(first)
        }

        var indices: Range<Int> { end - turns.count..<end }

        subscript(index: Int) -> Turn? {
            indices.contains(index) ? turns[index - indices.lowerBound] : nil
        }

        private mutating func append(_ turn: Turn) -> [BoxContent] {
            end += 1
            return turns.append(turn)
        }

        /// - Returns: The removed turns, to be released outside of a lock.
        mutating func append(
            _ event: Event, from before: State, _ after: State, _ error: (any Error)?, _ time: Duration
        ) -> Any {
            var past: [Any] = []
            // The first turn may have begun before the history did.
            if end == 1 {
                past.append(turns)
                let first = Turn(
                    index: 0, event: nil, state: before, error: nil, time: turns.first?.time ?? time)
                (turns, end) = (History(limit), 0)
                past.append(append(first))
            }
            past.append(append(Turn(index: end, event: event, state: after, error: error, time: time)))
            return past
        }

        /// Removes the turns behind one. The same.
        mutating func removeAll(after index: Int) -> Any {
            let past = turns
            (turns, end) = (History(limit), indices.lowerBound)
            for turn in past where turn.index <= index { _ = append(turn) }
            return past
        }
    }
}
