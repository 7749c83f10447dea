internal import Promise

/// The state of the policies ``EventPolicy/debounce(_:key:)`` and ``EventPolicy/throttle(_:key:)``, by key.
@usableFromInline
struct EventRateLimiter<Entry: Sendable>: Sendable {
    private var pending: [EffectKey: (number: Int, entry: Entry)] = [:]
    private var lastNumber = 0
    private var windows: [EffectKey: Duration] = [:]
    /// The number of windows at which closed ones are removed. It doubles with the open ones, for amortised constant
    /// cost.
    private var sweepThreshold = 64

    /// Stores the latest event of a key until its debounce timer fires.
    ///
    /// - Returns: The number of the event, and the event that it supersedes.
    mutating func keep(_ entry: Entry, for key: EffectKey) -> (number: Int, superseded: Entry?) {
        lastNumber += 1
        let before = pending.updateValue((lastNumber, entry), forKey: key)
        return (lastNumber, before?.entry)
    }

    /// Removes and returns the pending event of a key; nil if a later event has superseded it.
    mutating func debounceFired(_ key: EffectKey, _ number: Int) -> Entry? {
        guard let latest = pending[key], latest.number == number else { return nil }
        pending[key] = nil
        return latest.entry
    }

    /// Opens the throttle window of a key; false while one is open.
    mutating func open(_ key: EffectKey, for window: Duration, _ now: Duration) -> Bool {
        if let end = windows[key], now < end { return false }
        if windows.count >= sweepThreshold {
            windows = windows.filter { now < $0.value }
            sweepThreshold = max(64, 2 * windows.count)
        }
        windows[key] = now.later(by: window)
        return true
    }

    @usableFromInline var isEmpty: Bool { pending.isEmpty && windows.isEmpty }

    /// The debounced events, in order of arrival.
    @usableFromInline var debounced: [(key: EffectKey, entry: Entry)] {
        pending.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value.entry) }
    }

    /// The keys with an open throttle window and the end of each, ordered by the keys' descriptions.
    func openWindows(at now: Duration) -> [(key: EffectKey, end: Duration)] {
        windows.compactMap { key, end in end > now ? (key, end) : nil }.inPrintedOrder { "\($0.0)" }
    }
}
