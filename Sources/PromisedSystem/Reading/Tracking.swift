internal import Observation
internal import Promise

/// Who reads which part of a source's value under observation.
///
/// A part is watched from when it is read until it becomes unequal, which is told once: whoever is still interested
/// reads again. While any part is watched there is one subscription, and it keeps this alive.
final class Tracking<Value: Sendable>: Observable, Sendable {
    private struct Watched: Sendable {
        let number: Int
        /// Nil while it is being read.
        var hasChanged: (@Sendable (Value) -> Bool)?
        /// The latest that was told meanwhile.
        var notifiedMeanwhile: Value?
        /// Where to tell a reader again that may not be there yet when it is told; nil where it is.
        var place: (any SerialScheduler)?
        var isTold = false
    }

    private struct State: Sendable {
        var parts: [Part: Watched] = [:]
        var latest = 0
        var isSubscribed = false
        var token: SubscriptionToken?
    }

    private let registrar = ObservationRegistrar()
    private let scheduler: (any SerialScheduler)?
    private let state = Lock(State())

    init(_ scheduler: (any SerialScheduler)?) { self.scheduler = scheduler }

    /// What stands for a part where the standard library keeps account of who reads what.
    private subscript(_ mark: AccessToken) -> Void { () }

    // MARK: Reading

    /// A part of the value that is read under observation, and watched from now on.
    ///
    /// - Parameter isEqual: Whether the part is the same in the value.
    func read<Member>(
        _ path: any KeyPath<Value, Member> & Sendable, of source: Source<Value>,
        isEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Member {
        let part = Part(path)
        let mark = AccessToken(part)
        registrar.access(self, keyPath: \.[mark])
        let number = beginWatching(part, source)
        let value = source.read()
        let notifiedMeanwhile = state.withLock { state -> Value? in
            // An earlier reader's value is the older one.
            guard state.parts[part]?.number == number, state.parts[part]?.hasChanged == nil else {
                return nil
            }
            state.parts[part]?.hasChanged = { !isEqual(value, $0) }
            defer { state.parts[part]?.notifiedMeanwhile = nil }
            return state.parts[part]?.notifiedMeanwhile
        }
        if let notifiedMeanwhile { told(notifiedMeanwhile) }
        return value[keyPath: path]
    }

    /// Subscribes before the value is read, so that every later one is compared with it.
    private func beginWatching(_ part: Part, _ source: Source<Value>) -> Int {
        let place = placeOfReader
        let (number, subscribes, before) = state.withLock { state -> (Int, Bool, Watched?) in
            if let watched = state.parts[part], !watched.isTold {
                if watched.place == nil { state.parts[part]?.place = place }
                return (watched.number, false, nil)
            }
            state.latest += 1
            let before = state.parts.updateValue(Watched(number: state.latest, place: place), forKey: part)
            defer { state.isSubscribed = true }
            return (state.latest, !state.isSubscribed, before)
        }
        // What was compared with is released here and not under the lock.
        withExtendedLifetime(before) {}
        if subscribes { subscribe(to: source) }
        return number
    }

    /// A reader is told of what comes after its reading is over. That cannot be told before where reading and telling
    /// exclude each other; else it is told once more, behind the reading.
    private var placeOfReader: (any SerialScheduler)? {
        if let scheduler, scheduler.isCurrent { return nil }
        return MainScheduler.main.isCurrent ? MainScheduler.main : scheduler
    }

    private func subscribe(to source: Source<Value>) {
        let token = source.attach(false, { self.told($0) }, { self.end() })
        // Another thread may have subscribed meanwhile.
        let unwanted = state.withLock { state in
            guard state.isSubscribed else { return token as SubscriptionToken? }
            defer { state.token = token }
            return state.token
        }
        unwanted?.cancel()
    }

    // MARK: Telling

    private func told(_ value: Value) {
        let (watched, before) = state.withLock { state in
            var before: [Value?] = []
            for part in state.parts.keys where state.parts[part]?.hasChanged == nil {
                before.append(state.parts[part]?.notifiedMeanwhile)
                state.parts[part]?.notifiedMeanwhile = value
            }
            return (state.parts, before)
        }
        withExtendedLifetime(before) {}
        let changed = watched.filter { !$0.value.isTold && $0.value.hasChanged?(value) ?? false }
        for (part, watched) in changed {
            guard let place = watched.place else {
                forget(part, watched.number)
                tell(part)
                continue
            }
            state.withLock { state in
                if state.parts[part]?.number == watched.number { state.parts[part]?.isTold = true }
            }
            tell(part)
            tellAgain(part, watched.number, on: place)
        }
        if !changed.isEmpty { unsubscribeIfUnused() }
    }

    private func tellAgain(_ part: Part, _ number: Int, on place: any SerialScheduler) {
        place.schedule(after: .zero) { [self] in
            guard forget(part, number) else { return }
            tell(part)
            unsubscribeIfUnused()
        }
    }

    /// - Returns: Whether it was still there: nobody has read it again.
    @discardableResult
    private func forget(_ part: Part, _ number: Int) -> Bool {
        let watched = state.withLock { state in
            state.parts[part]?.number == number ? state.parts.removeValue(forKey: part) : nil
        }
        return watched != nil
    }

    private func tell(_ part: Part) {
        let mark = AccessToken(part)
        registrar.withMutation(of: self, keyPath: \.[mark]) {}
    }

    private func unsubscribeIfUnused() {
        let token = state.withLock { state in
            guard state.parts.isEmpty else { return nil as SubscriptionToken? }
            state.isSubscribed = false
            return state.token.take()
        }
        token?.cancel()
    }

    /// There will be no more changes.
    private func end() {
        let before = state.withLock { state in
            defer { (state.parts, state.isSubscribed, state.token) = ([:], false, nil) }
            return state
        }
        withExtendedLifetime(before) {}
    }
}
