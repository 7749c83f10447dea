import Synchronization

/// What has to be said while the page has the terminal, and is said when it has given it back: a line in
/// between would stand in the middle of the page.
enum HeldTalk {
    private static let lines = Mutex<[String]?>(nil)

    static func hold() { lines.withLock { $0 = $0 ?? [] } }

    /// - Returns: Whether the line waits; it is to be said now otherwise.
    static func take(_ line: String) -> Bool {
        lines.withLock { lines in
            guard lines != nil else { return false }
            lines?.append(line)
            return true
        }
    }

    static func release() {
        let held = lines.withLock { lines in
            defer { lines = nil }
            return lines ?? []
        }
        for line in held { _ = Console.write(Array((line + "\n").utf8), to: 2) }
    }
}
