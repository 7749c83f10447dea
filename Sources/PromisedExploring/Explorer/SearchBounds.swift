/// How far a search goes, and what it merges.
struct SearchBounds: Sendable {
    var depth: Int
    var stepLimit: Int
    var timeLimit: Duration?
    let merging: Merging
    /// Whether the time is part of a configuration, and the history of a system.
    var isClockRead = false
    var isHistoryRead = false
    /// The most preemptions on a path; nil for any number.
    let preemptions: Int?

    mutating func includeWhatIsRead(_ knowledge: Knowledge) {
        (isClockRead, isHistoryRead) = (knowledge.isClockRead, knowledge.isHistoryRead)
    }
}
