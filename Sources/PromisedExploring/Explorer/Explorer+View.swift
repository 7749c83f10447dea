internal import Promise

extension Explorer where Event: Hashable {
    /// The explorer with its states compared by a view: two states with equal views count as equal.
    ///
    /// Use it for counters, identifiers and logs that grow endlessly, without which the rest of a state repeats. This
    /// is an abstraction: of several states with one view, the first is explored, and what only the others lead to is
    /// missed. So an exploration with a view has the gap ``Gap/view``, unless the view is declared to be exact. States
    /// need not be `Hashable`.
    ///
    /// <!-- fence: run -->
    /// ```swift
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// struct Log { var isOpen = false, entries = 0 }
    ///
    /// let explorer = Explorer<Log, String>(events: ["open", "close"]) { world in
    ///     System(initialState: Log(), scheduler: world.scheduler, reducer: Reducer { log, event in
    ///         (log.isOpen, log.entries) = (event == "open", log.entries + 1)
    ///     })
    /// }
    /// print(explorer.viewed(by: { $0.isOpen }).check(depth: 50).configurations)
    /// ```
    ///
    /// ```text output
    /// 2
    /// ```
    ///
    /// - Parameters:
    ///   - view: Returns what of a state can matter later.
    ///   - isExact: Whether states with equal views behave in the same way, and satisfy the same properties.
    public func viewed<View: Hashable & Sendable>(
        by view: @escaping @Sendable (State) -> View, isExact: Bool = false
    ) -> Explorer {
        Explorer(
            self,
            makeNumbers: { merging, ignored in
                let values = ValueCount()
                let numbers = merging == .equalConfigurations ? WorldNumbers(values) : nil
                let findings = Findings(
                    numbers, values, comparesStates: true, hasView: !isExact, ignoring: ignored)
                return ExplorationNumbers(
                    states: .by(view, values), events: .byEquality(values), findings)
            })
    }
}

extension Numbering {
    /// Values with equal views have the same number. The first of them represents them.
    fileprivate static func by<View: Hashable & Sendable>(
        _ view: @escaping @Sendable (Value) -> View, _ count: ValueCount
    ) -> Numbering {
        let numbers = NumberTable<View>(count)
        let first = FirstValues<Value>()
        return Numbering(
            number: { value in
                let number = numbers.number(of: view(value))
                first.note(value, number)
                return number
            }, values: { first.values })
    }
}

/// The first value of each number. Numbers are given in order, by one thread for each exploration.
private final class FirstValues<Value: Sendable>: Sendable {
    private let content = Lock<[Value]>([])

    func note(_ value: Value, _ number: Int) {
        content.withLock { if number == $0.count { $0.append(value) } }
    }

    var values: [Value] { content.withLock { $0 } }
}
