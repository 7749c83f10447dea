internal import Foundation
internal import Promise

/// How far the changes of a source are written.
struct WriteProgress: Sendable {
    /// Counts the changes: once before and once after each.
    var made = 0
    /// The count of changes up to which all is written, or is being written under the lock.
    var written = 0
    /// The revision of the value that was replaced last, which is stored before it is shown.
    private var replaced = 0
    /// When the value was set.
    var date = Date.distantPast
    var isPausing = false
    var isInUse = false
    var expiry: ScheduledWork?
    var pause: ScheduledWork?

    /// The count to write; nil if all is written.
    var unwritten: Int? { made > written ? made : nil }

    mutating func beginChange(_ date: Date) {
        made += 1
        self.date = date
    }

    mutating func beginPause() -> Bool {
        defer { isPausing = true }
        return !isPausing
    }

    mutating func endPause() { (isPausing, pause) = (false, nil) }

    /// Marks changes as written.
    ///
    /// - Returns: The count before; nil if they are written already.
    mutating func claim(_ count: Int) -> Int? {
        guard written < count else { return nil }
        defer { written = count }
        return written
    }

    /// Withdraws a claim whose write has failed.
    mutating func giveBack(_ count: Int, _ before: Int) { if written == count { written = before } }

    /// Counts a change that comes from the storage itself; nil if there are changes to write.
    mutating func claimReading() -> Int? {
        guard made == written else { return nil }
        made += 1
        written = made
        return made
    }

    /// Counts a change that is stored before it is shown; nil if there was a change since that count, or if the value
    /// replaced last was not shown yet when the revision was.
    mutating func claimReplacing(since count: Int, _ revision: Int) -> Int? {
        made == count && revision >= replaced ? claimReading() : nil
    }

    mutating func isReplaced(_ revision: Int) { replaced = revision + 1 }
}
