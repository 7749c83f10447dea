internal import Promise

/// The state of the policies ``EventPolicy/debounce(_:key:keepsOrder:)`` and
/// ``EventPolicy/throttle(_:edges:key:keepsOrder:)``, by key.
@usableFromInline
struct EventRateLimiter<Entry: Sendable>: Sendable {
    private struct Delayed: Sendable {
        let entry: Entry
        let isOrdered: Bool
    }

    private var limiters: [EffectKey: RateLimiter<Delayed>] = [:]
    /// Whether there was ever a limiter.
    @usableFromInline private(set) var isUsed = false
    private var lastNumber = 0
    /// The number of keys at which idle ones are removed. It doubles with the others, for amortised constant cost.
    private var sweepThreshold = 64
    /// How many of the delayed events are processed before later ones.
    @usableFromInline private(set) var orderedCount = 0

    /// Decides on an event that arrives.
    mutating func decision(
        _ limit: RateLimit, for key: EffectKey, _ now: () -> Duration
    ) -> RateLimit.LimitDecision {
        isUsed = true
        if limiters.count >= sweepThreshold { sweep(at: now()) }
        return limiters[key, default: .init()].decision(limit, now)
    }

    private mutating func sweep(at now: Duration) {
        for place in limiters.values.indices { limiters.values[place].closeWindow(at: now) }
        limiters = limiters.filter { !$0.value.isIdle }
        sweepThreshold = max(64, 2 * limiters.count)
    }

    /// Stores the latest event of a key until its timer fires.
    ///
    /// - Parameter isOrdered: Whether it is processed before later events.
    /// - Returns: The number of the event, and the event that it supersedes.
    mutating func wait(
        _ entry: Entry, for key: EffectKey, _ limit: RateLimit, isOrdered: Bool, at now: Duration
    ) -> (number: Int, superseded: Entry?) {
        isUsed = true
        lastNumber += 1
        let before = change(key) { $0.take() }
        let delayed = Delayed(entry: entry, isOrdered: isOrdered)
        limiters[key, default: .init()].wait(delayed, lastNumber, limit, at: now)
        if isOrdered { orderedCount += 1 }
        return (lastNumber, before)
    }

    /// Removes and returns the delayed event of a key; nil if a later event has superseded it.
    mutating func timerFired(_ key: EffectKey, _ number: Int, _ now: () -> Duration) -> Entry? {
        change(key) { $0.timerFired(number, now) }
    }

    /// Removes and returns the delayed events that are processed before a later one, in order of arrival.
    ///
    /// - Parameter number: The number of the later event; nil for one that is not delayed itself.
    mutating func takeOrdered(before number: Int? = nil) -> [(key: EffectKey, entry: Entry)] {
        guard orderedCount > 0 else { return [] }
        return take { $0.value.isOrdered && $0.number < number ?? .max }
    }

    /// Removes and returns the delayed event of a key, or all of them, in order of arrival.
    mutating func takeAll(of key: EffectKey?) -> [(key: EffectKey, entry: Entry)] {
        guard let key else { return take { _ in true } }
        return change(key) { $0.take() }.map { [(key, $0)] } ?? []
    }

    private mutating func take(
        where isMeant: (RateLimiter<Delayed>.PendingValue) -> Bool
    ) -> [(key: EffectKey, entry: Entry)] {
        waiting.compactMap { key, waiting in
            guard isMeant(waiting) else { return nil }
            return change(key) { $0.take() }.map { (key, $0) }
        }
    }

    /// Takes an event out of the limiter of its key, which is removed if it is idle then.
    private mutating func change(
        _ key: EffectKey, _ take: (inout RateLimiter<Delayed>) -> Delayed?
    ) -> Entry? {
        guard let place = limiters.index(forKey: key), let event = take(&limiters.values[place]) else {
            return nil
        }
        if limiters.values[place].isIdle { limiters.remove(at: place) }
        if event.isOrdered { orderedCount -= 1 }
        return event.entry
    }

    private var waiting: [(key: EffectKey, waiting: RateLimiter<Delayed>.PendingValue)] {
        limiters.compactMap { key, limiter in limiter.waiting.map { (key, $0) } }
            .sorted { $0.waiting.number < $1.waiting.number }
    }

    @inlinable var isEmpty: Bool { !isUsed || hasNoLimiters }

    @usableFromInline var hasNoLimiters: Bool { limiters.isEmpty }

    /// The delayed events, in order of arrival, and since when they wait.
    @usableFromInline var all: [(key: EffectKey, entry: Entry, since: Duration)] {
        waiting.map { ($0.key, $0.waiting.value.entry, $0.waiting.since) }
    }

    /// The keys with an open throttle window and the end of each, ordered by the keys' descriptions.
    @usableFromInline
    func openWindows(at now: Duration) -> [(key: EffectKey, end: Duration)] {
        limiters.compactMap { key, limiter in
            limiter.windowEnd.flatMap { $0 > now ? (key, $0) : nil }
        }.inPrintedOrder { "\($0.0)" }
    }
}
