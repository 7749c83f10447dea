/// The callbacks with which an exploration observes the effects that feedbacks start.
@usableFromInline
package protocol WorkProbe: AnyObject, Sendable {
    /// Called with true before a feedback is evaluated, and with false after it.
    func asks(_ isAsking: Bool)

    /// A number that identifies the current evaluation of the feedbacks; it is stored in the requests that result.
    var occasion: Int { get }

    /// Called before a run of an effect starts.
    ///
    /// - Parameters:
    ///   - number: The number of the run, counted over the whole system.
    ///   - occasion: The ``occasion`` at which its feedback requested it.
    ///   - isKnownByKey: Whether the effect depends on nothing but its key.
    func starts(_ number: Int, requestedAt occasion: Int, isKnownByKey: Bool)

    /// Called before running effects receive an updated input.
    func updates(workOf runs: [Int])
}

extension SmallArray<EffectPlan> {
    func requested(at occasion: Int) -> SmallArray {
        guard !isEmpty else { return self }
        return SmallArray(all.map { $0.requested(at: occasion) })
    }
}
