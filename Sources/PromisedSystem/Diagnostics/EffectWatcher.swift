/// Told of the work that a system's feedbacks begin: for an exploration, on the scheduler of the system.
@usableFromInline
package protocol EffectWatcher: AnyObject, Sendable {
    /// What is asked for now will be known to have been asked for at this.
    var occasion: Int { get }

    /// A run is about to begin.
    ///
    /// - Parameters:
    ///   - number: Counts the runs of the system.
    ///   - occasion: When its feedback has asked for it.
    ///   - isKnownByKey: Whether its work was given nothing but its key.
    func starts(_ number: Int, askedAt occasion: Int, isKnownByKey: Bool)

    /// Work that is running is about to be told of something new.
    func updates(workOf runs: [Int])
}

extension EffectRequest {
    /// The same, with the occasion noted.
    @usableFromInline
    func asked(at occasion: Int) -> EffectRequest {
        var request = self
        request.occasion = occasion
        return request
    }
}

extension Few {
    @usableFromInline
    func asked<Event>(at occasion: Int) -> Few where Element == EffectRequest<Event> {
        Few(all.map { $0.asked(at: occasion) })
    }
}
