internal import Promise
internal import PromisedSystem

/// When the throttle windows of systems end, at the latest. Nothing that a recording has says that one is open, so what
/// begins with a full state begins with them closed.
struct OpenWindows: Sendable {
    private var ends: [Int: Duration] = [:]

    var isEmpty: Bool { ends.isEmpty }
    /// The systems with windows that may be open.
    var systems: [Int] { ends.keys.sorted() }

    /// Notes the window that a line opens, and the end of earlier ones.
    mutating func update(_ line: [JSONMember]) {
        guard let system = line["s"]?.int, let nanoseconds = line["t"]?.int else { return }
        let now = Duration.nanoseconds(nanoseconds)
        if let end = ends[system], end <= now { ends[system] = nil }
        let policy = line["p"].flatMap { EventPolicy(json: $0) }
        if let window = line["window"]?.int.map({ .nanoseconds($0) }) ?? policy?.longestWindow {
            open(of: system, until: now.later(by: window))
        }
    }

    mutating func open(of system: Int, until end: Duration) { ends[system] = max(end, ends[system] ?? end) }

    mutating func closeAll(of system: Int) { ends[system] = nil }
}
