internal import Promise
public import PromisedSystem

extension TestSystem {
    /// Marks all states that were shown so far as accounted for, without comparing them.
    public func skipStates() { eventLog.withLock { $0.accountForStates() } }

    /// Marks effects that are running or queued now as accounted for: they need not be finished. For work that runs
    /// until the system ends, such as that of `Feedback.imperative`.
    ///
    /// They are not cancelled: what they send has to be received. Work that starts later counts again. If there is
    /// nothing to skip, the test fails.
    ///
    /// ```swift
    /// import PromisedSystem
    /// import PromisedTesting
    ///
    /// let test = TestSystem(
    ///     initialState: 0,
    ///     feature: Feature(
    ///         reducer: Reducer<Int, Int> { $0 += $1 },
    ///         feedbacks: [.imperative { send in { _, number in if number == 1 { send(2) } } }]))
    /// test.skipRunningWork()
    /// test.send(1) { $0 = 1 }
    /// test.receive(2) { $0 = 3 }
    /// test.finish()
    /// ```
    ///
    /// - Parameter key: The key of the effects to skip; nil for all effects, with and without a key.
    public func skipRunningWork(
        _ key: EffectKey? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        let running = system.running.filter { !isSkipped($0) }
        let requests = running.filter { key == nil || $0.key == key }.compactMap(\.request?.number)
        skippedWork.formUnion(requests)
        guard requests.isEmpty else { return }
        let which = key.map { " of \($0)" } ?? ""
        let others = running.compactMap(\.text).map { "\n    \($0)" }.joined()
        fail(
            "Expected an effect\(which) to skip, but none is running or queued."
                + (others.isEmpty ? "" : " This is:\n\(others)"), TestPlace(fileID, filePath, line, column))
    }

    func isSkipped(_ work: Running) -> Bool { work.request.map { skippedWork.contains($0.number) } ?? false }
}
