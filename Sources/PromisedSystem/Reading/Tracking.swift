internal import Observation
internal import Promise

/// The parts of a source's value that are read under observation.
///
/// A part is tracked from a read until it becomes unequal. Its observers are notified of that once, and read again to
/// track it further. While any part is tracked, there is one subscription, which retains this object.
final class Tracking<Value: Sendable>: Observable, Sendable {
    private struct Tracked: Sendable {
        let number: Int
        /// Whether the part differs from the one that was read; nil while it is being read.
        var hasChanged: (@Sendable (Value) -> Bool)?
        /// The latest value that arrived while it was being read.
        var notifiedMeanwhile: Value?
        /// The scheduler on which to notify a second time, as a reader elsewhere may not be registered yet at the
        /// first; nil if it is registered for sure.
        var place: (any SerialScheduler)?
        var isNotified = false
    }

    private struct State: Sendable {
        var parts: [PathPart: Tracked] = [:]
        var latest = 0
        var isSubscribed = false
        var token: SubscriptionToken?
    }

    private let registrar = ObservationRegistrar()
    private let scheduler: (any SerialScheduler)?
    private let state = Lock(State())

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
        let number = beginTracking(part, source)
        let value = source.read()
        let notifiedMeanwhile = state.withLock { state -> Value? in
            // A concurrent earlier read has already stored its value, which is the older one.
            guard state.parts[part]?.number == number, state.parts[part]?.hasChanged == nil else {
                return nil
            }
            state.parts[part]?.hasChanged = { !isEqual(value, $0) }
            defer { state.parts[part]?.notifiedMeanwhile = nil }
            return state.parts[part]?.notifiedMeanwhile
        }
        if let notifiedMeanwhile { receive(notifiedMeanwhile) }
        return value[keyPath: path]
    }

    /// Subscribes before the value is read, so that every later value is compared with it.
    private func beginTracking(_ part: PathPart, _ source: Source<Value>) -> Int {
        let place = readerScheduler
        let (number, subscribes, before) = state.withLock { state -> (Int, Bool, Tracked?) in
            if let tracked = state.parts[part], !tracked.isNotified {
                if tracked.place == nil { state.parts[part]?.place = place }
                return (tracked.number, false, nil)
            }
            state.latest += 1
            let before = state.parts.updateValue(Tracked(number: state.latest, place: place), forKey: part)
            defer { state.isSubscribed = true }
            return (state.latest, !state.isSubscribed, before)
        }
        // The value compared with is released here and not under the lock.
        withExtendedLifetime(before) {}
        if subscribes { subscribe(to: source) }
        return number
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

    private func subscribe(to source: Source<Value>) {
        let token = source.attach(false, { self.receive($0) }, { self.end() })
        // Another thread may have ended or replaced the subscription meanwhile.
        let unwanted = state.withLock { state in
            guard state.isSubscribed else { return token as SubscriptionToken? }
            defer { state.token = token }
            return state.token
        }
        unwanted?.cancel()
    }

    // MARK: Notifying

    private func receive(_ value: Value) {
        let (tracked, before) = state.withLock { state in
            var before: [Value?] = []
            for part in state.parts.keys where state.parts[part]?.hasChanged == nil {
                before.append(state.parts[part]?.notifiedMeanwhile)
                state.parts[part]?.notifiedMeanwhile = value
            }
            return (state.parts, before)
        }
        withExtendedLifetime(before) {}
        let changed = tracked.filter { !$0.value.isNotified && $0.value.hasChanged?(value) ?? false }
        for (part, tracked) in changed {
            guard let place = tracked.place else {
                forget(part, tracked.number)
                notify(part)
                continue
            }
            state.withLock { state in
                if state.parts[part]?.number == tracked.number { state.parts[part]?.isNotified = true }
            }
            notify(part)
            notifyAgain(part, tracked.number, on: place)
        }
        if !changed.isEmpty { unsubscribeIfUnused() }
    }

    private func notifyAgain(_ part: PathPart, _ number: Int, on place: any SerialScheduler) {
        place.schedule(after: .zero) { [self] in
            guard forget(part, number) else { return }
            notify(part)
            unsubscribeIfUnused()
        }
    }

    /// - Returns: Whether the part was still tracked by that number: false if it was read again meanwhile.
    @discardableResult
    private func forget(_ part: PathPart, _ number: Int) -> Bool {
        let tracked = state.withLock { state in
            state.parts[part]?.number == number ? state.parts.removeValue(forKey: part) : nil
        }
        return tracked != nil
    }

    private func notify(_ part: PathPart) {
        let token = AccessToken(part)
        registrar.withMutation(of: self, keyPath: \.[token]) {}
    }

    private func unsubscribeIfUnused() {
        let token = state.withLock { state in
            guard state.parts.isEmpty else { return nil as SubscriptionToken? }
            state.isSubscribed = false
            return state.token.take()
        }
        token?.cancel()
    }

    /// Stops tracking all parts, as the source has ended.
    private func end() {
        let before = state.withLock { state in
            defer { (state.parts, state.isSubscribed, state.token) = ([:], false, nil) }
            return state
        }
        withExtendedLifetime(before) {}
    }
}
