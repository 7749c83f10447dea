internal import Promise

/// The state of the policies ``EventPolicy/debounce(_:key:keepsOrder:)`` and
/// ``EventPolicy/throttle(_:edges:key:keepsOrder:)``, by key.
@usableFromInline
struct EventRateLimiter<Entry: Sendable>: Sendable {
    private struct Delayed: Sendable {
        let number: Int
        let entry: Entry
        let policy: EventPolicy
        let isOrdered: Bool
    }

    /// The event of each key that waits for its timer.
    private var delayed: [EffectKey: Delayed] = [:]
    private var lastNumber = 0
    private var windows: [EffectKey: Duration] = [:]
    /// The number of windows at which closed ones are removed. It doubles with the open ones, for amortised constant
    /// cost.
    private var sweepThreshold = 64
    /// How many of the delayed events are processed before later ones.
    @usableFromInline private(set) var orderedCount = 0

    /// Stores the latest event of a key until its timer fires.
    ///
    /// - Parameter isOrdered: Whether it is processed before later events.
    /// - Returns: The number of the event, and the event that it supersedes.
    mutating func keep(
        _ entry: Entry, for key: EffectKey, _ policy: EventPolicy, isOrdered: Bool
    ) -> (number: Int, superseded: Entry?) {
        lastNumber += 1
        let before = remove(key)
        delayed[key] = Delayed(
            number: lastNumber, entry: entry, policy: policy, isOrdered: isOrdered)
        if isOrdered { orderedCount += 1 }
        return (lastNumber, before?.entry)
    }

    /// Removes and returns the delayed event of a key; nil if a later event has superseded it.
    mutating func timerFired(_ key: EffectKey, _ number: Int) -> Entry? {
        delayed[key]?.number == number ? remove(key)?.entry : nil
    }

    /// Removes and returns the delayed events that are processed before a later one, in order of arrival.
    ///
    /// - Parameter number: The number of the later event; nil for one that is not delayed itself.
    mutating func takeOrdered(before number: Int? = nil) -> [(key: EffectKey, entry: Entry)] {
        guard orderedCount > 0 else { return [] }
        return take { $0.isOrdered && $0.number < number ?? .max }
    }

    /// Removes and returns the delayed event of a key, or all of them, in order of arrival.
    mutating func takeAll(of key: EffectKey?) -> [(key: EffectKey, entry: Entry)] {
        guard let key else { return take { _ in true } }
        return remove(key).map { [(key, $0.entry)] } ?? []
    }

    private mutating func take(where isMeant: (Delayed) -> Bool) -> [(key: EffectKey, entry: Entry)] {
        let all = delayed.filter { isMeant($0.value) }.sorted { $0.value.number < $1.value.number }
        return all.map { key, event in
            _ = remove(key)
            return (key, event.entry)
        }
    }

    private mutating func remove(_ key: EffectKey) -> Delayed? {
        guard let event = delayed.removeValue(forKey: key) else { return nil }
        if event.isOrdered { orderedCount -= 1 }
        return event
    }

    /// How long the throttle window of a key stays open; nil if none is. It is open until its last event is processed.
    func windowRest(_ key: EffectKey, at now: Duration) -> Duration? {
        guard let end = windows[key] else { return nil }
        if now < end { return end - now }
        if case .throttle? = delayed[key]?.policy { return .zero }
        return nil
    }

    /// Opens the throttle window of a key.
    mutating func openWindow(_ key: EffectKey, for window: Duration, _ now: Duration) {
        if windows.count >= sweepThreshold {
            windows = windows.filter { now < $0.value || delayed[$0.key] != nil }
            sweepThreshold = max(64, 2 * windows.count)
        }
        windows[key] = now.later(by: window)
    }

    @usableFromInline var isEmpty: Bool { delayed.isEmpty && windows.isEmpty }

    /// The delayed events, in order of arrival.
    @usableFromInline var all: [(key: EffectKey, entry: Entry)] {
        delayed.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value.entry) }
    }

    /// The keys with an open throttle window and the end of each, ordered by the keys' descriptions.
    func openWindows(at now: Duration) -> [(key: EffectKey, end: Duration)] {
        windows.compactMap { key, end in end > now ? (key, end) : nil }.inPrintedOrder { "\($0.0)" }
    }
}
