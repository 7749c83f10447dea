internal import Promise

/// What `debounce` and `throttle` remember between events.
@usableFromInline
struct EventRateLimiter<Entry: Sendable>: Sendable {
    private var quiet: [EffectKey: (number: Int, entry: Entry)] = [:]
    private var lastNumber = 0
    private var windows: [EffectKey: Duration] = [:]
    /// As many windows as there may be before the closed ones are looked for.
    private var sweepAt = 64

    /// Keeps the latest event of a key until it has become quiet.
    ///
    /// - Returns: Its number, and the event that it supersedes.
    mutating func keep(_ entry: Entry, for key: EffectKey) -> (number: Int, superseded: Entry?) {
        lastNumber += 1
        let before = quiet.updateValue((lastNumber, entry), forKey: key)
        return (lastNumber, before?.entry)
    }

    /// The event that waited for a key to become quiet, unless a later one does by now.
    mutating func debounceFired(_ key: EffectKey, _ number: Int) -> Entry? {
        guard let waiting = quiet[key], waiting.number == number else { return nil }
        quiet[key] = nil
        return waiting.entry
    }

    /// Opens a window of a key; false while one is open.
    mutating func open(_ key: EffectKey, for window: Duration, _ now: Duration) -> Bool {
        if let end = windows[key], now < end { return false }
        if windows.count >= sweepAt {
            windows = windows.filter { now < $0.value }
            sweepAt = max(64, 2 * windows.count)
        }
        windows[key] = now.later(by: window)
        return true
    }

    @usableFromInline var isEmpty: Bool { quiet.isEmpty && windows.isEmpty }

    /// The events that wait until there is quiet, in the order in which they came.
    @usableFromInline var debounced: [(key: EffectKey, entry: Entry)] {
        quiet.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value.entry) }
    }

    /// The keys whose events are turned away, and for how long; by what the keys print.
    func openWindows(at scheduler: any SerialScheduler) -> [(key: EffectKey, left: Duration)] {
        guard !windows.isEmpty else { return [] }
        let now = scheduler.now
        return windows.compactMap { key, end in end > now ? (key, end - now) : nil }
            .inPrintedOrder { "\($0.0)" }
    }
}
