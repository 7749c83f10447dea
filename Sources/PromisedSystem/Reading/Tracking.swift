internal import Observation
internal import Promise

/// The parts of a source's value that are read under observation.
///
/// A part is tracked from a read until its value changes. Its observers are notified of one change, and read again to
/// track it further. While any part is tracked, there is one subscription, which retains this object.
final class Tracking<Value: Sendable>: Observable, Sendable {
    private struct Tracked: Sendable {
        /// Whether the part differs from the one that was read.
        let hasChanged: @Sendable (Value) -> Bool
        /// The scheduler on which to notify a second time, as a reader elsewhere may not be registered yet at the
        /// first; nil if it is registered for sure.
        var place: (any SerialScheduler)?
    }

    private struct TrackingState: Sendable {
        var parts: [PathPart: Tracked] = [:]
        /// The number of values received so far.
        var received = 0
        /// The number of reads of parts that are not tracked yet.
        var reading = 0
        /// The token of the subscription, which ends when it is released; nil within the lock while it is being made.
        var subscription: Lock<SubscriptionToken?>?
    }

    private let registrar = ObservationRegistrar()
    private let scheduler: (any SerialScheduler)?
    private let state = Lock(TrackingState())

    init(_ scheduler: (any SerialScheduler)?) { self.scheduler = scheduler }

    /// Represents a part to the registrar.
    private subscript(_ token: AccessToken) -> Void { () }

    // MARK: Reading

    /// Reads a part of the value under observation, and tracks it from now on.
    ///
    /// - Parameter isEqual: Whether the part is equal in both values.
    func read<Member>(
        _ path: any KeyPath<Value, Member> & Sendable, of source: Source<Value>,
        isEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Member {
        let part = PathPart(path)
        let token = AccessToken(part)
        registrar.access(self, keyPath: \.[token])
        let received = beginReading(source)
        let value = source.read()
        let tracked = Tracked(hasChanged: { !isEqual(value, $0) }, place: readerScheduler)
        if track(part, tracked, since: received) { receive(source.read()) }
        return value[keyPath: path]
    }

    /// Subscribes before the value is read, so that every later value is compared with it.
    ///
    /// - Returns: The number of values received before.
    private func beginReading(_ source: Source<Value>) -> Int {
        let (received, new) = state.withLock { state in
            state.reading += 1
            let new = state.subscription == nil ? Lock<SubscriptionToken?>(nil) : nil
            state.subscription = state.subscription ?? new
            return (state.received, new)
        }
        // If the subscription is dropped meanwhile, its token is released with `new`.
        new?.exchange(for: source.attach(false, { self.receive($0) }, { self.end() }))
        return received
    }

    /// Tracks a part that has been read. If it is tracked already, that has the older value.
    ///
    /// - Returns: Whether a value was received since the read began, which the part has to be compared with.
    private func track(_ part: PathPart, _ tracked: Tracked, since received: Int) -> Bool {
        let (isLate, before) = state.withLock { state -> (Bool, Tracked?) in
            state.reading -= 1
            // Nothing is received after the end.
            guard state.subscription != nil else { return (false, nil) }
            let isLate = state.received != received
            guard let known = state.parts[part], !isLate else {
                return (isLate, state.parts.updateValue(tracked, forKey: part))
            }
            if known.place == nil { state.parts[part]?.place = tracked.place }
            return (false, nil)
        }
        // The value compared with is released here and not under the lock.
        withExtendedLifetime(before) {}
        return isLate
    }

    /// The scheduler on which to notify the calling reader a second time; nil if it runs where the owner delivers.
    ///
    /// `onChange` is registered only when the tracked closure has returned. Where the owner delivers, no notification
    /// can arrive before that. Elsewhere one may be missed, so a second is scheduled: on the main queue for a reader on
    /// the main thread, where it runs after the read; otherwise where the owner delivers.
    private var readerScheduler: (any SerialScheduler)? {
        if let scheduler, scheduler.isCurrent { return nil }
        return MainScheduler.main.isCurrent ? MainScheduler.main : scheduler
    }

    // MARK: Notifying

    private func receive(_ value: Value) {
        let parts = state.withLock { state in
            state.received += 1
            return state.parts
        }
        for (part, tracked) in parts where tracked.hasChanged(value) {
            guard let tracked = state.withLock({ $0.parts.removeValue(forKey: part) }) else { continue }
            notify(part)
            tracked.place?.schedule(after: .zero) { [self] in
                let isReadAgain = state.withLock { $0.parts[part] != nil }
                if !isReadAgain { notify(part) }
            }
        }
        unsubscribeIfUnused()
    }

    private func notify(_ part: PathPart) {
        let token = AccessToken(part)
        registrar.withMutation(of: self, keyPath: \.[token]) {}
    }

    private func unsubscribeIfUnused() {
        let unused = state.withLock { state in
            state.parts.isEmpty && state.reading == 0 ? state.subscription.take() : nil
        }
        withExtendedLifetime(unused) {}
    }

    /// Stops tracking all parts, as the source has ended.
    private func end() {
        let before = state.withLock { state in
            defer { (state.parts, state.subscription) = ([:], nil) }
            return state
        }
        withExtendedLifetime(before) {}
    }
}
