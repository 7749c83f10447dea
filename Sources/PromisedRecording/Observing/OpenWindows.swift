internal import Promise
internal import PromisedSystem

/// When the throttle windows of systems end, at the latest. Nothing that a recording has says that one is open, so what
/// begins with a full state begins with them closed.
struct OpenWindows: Sendable {
    private struct Windows: Sendable {
        var end: Duration?
        /// Of the longest window so far.
        var longest = Duration.zero
        /// The windows of the throttled events that wait, by their numbers: each opens when its event is handled.
        var waiting: [Int: Duration] = [:]
    }

    private var ofSystems: [Int: Windows] = [:]
    /// The last time of a line.
    private var now = Duration.zero

    /// Whether all are closed at the time of the last line.
    var areClosed: Bool { areClosed(before: now) }

    /// Whether all are closed before a line of a time; nil if that is not known. At the very end of a window, a request
    /// may start that has waited for it.
    func areClosed(before time: Duration?) -> Bool {
        ofSystems.values.allSatisfy { $0.end.map { $0 < time ?? now } ?? true }
    }

    /// The systems with windows that may be open before a line of a time; nil if that is not known.
    func systems(before time: Duration?) -> [Int] {
        ofSystems.filter { $0.value.end.map { $0 >= time ?? .zero } ?? false }.keys.sorted()
    }

    /// Notes the window that a line opens, and the end of earlier ones.
    mutating func update(_ kind: RecordedFact.Kind, _ line: [JSONMember]) {
        guard let system = line["s"]?.int, let nanoseconds = line["t"]?.int else { return }
        now = .nanoseconds(nanoseconds)
        let policy = line["p"].flatMap { EventPolicy(json: $0) }
        var window = line["window"]?.int.map { .nanoseconds($0) } ?? policy?.longestWindow
        guard var windows = ofSystems[system] ?? window.map({ _ in Windows() }) else { return }
        if let end = windows.end, end < now { windows.end = nil }
        if let window { windows.longest = max(window, windows.longest) }
        switch (kind, line["id"]?.int) {
        case (.send, let id?): windows.waiting[id] = window
        case (.begin, let id?), (.turn, let id?): window = windows.waiting.removeValue(forKey: id) ?? window
        case (.drop, let id?): windows.waiting[id] = nil
        // The last event of a burst opens the next window.
        case (.fire, _) where line["delay"] != nil: window = windows.longest
        default: break
        }
        if let window { windows.end = max(now.later(by: window), windows.end ?? now) }
        ofSystems[system] = windows
    }

    mutating func open(of system: Int, until end: Duration) {
        ofSystems[system, default: Windows()].end = max(end, ofSystems[system]?.end ?? end)
    }

    mutating func closeAll(of system: Int) { ofSystems[system] = nil }
}
