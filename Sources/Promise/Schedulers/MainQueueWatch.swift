internal import Synchronization

/// Notices that work waits for the main queue and nothing serves that: a program that blocks its main thread, in
/// `readLine()` for example, would wait in silence.
///
/// It looks until the main queue is known to be served, and reports once.
enum MainQueueWatch {
    /// How long the first work may wait.
    static let patience = Duration.seconds(1)

    private enum Phase: UInt8, AtomicRepresentable {
        case idle, watching, over
    }

    private static let phase = Atomic(Phase.idle)

    /// Work has been put on the main queue.
    static func workWaits() {
        guard phase.load(ordering: .relaxed) == .idle else { return }
        let (isFirst, _) = phase.compareExchange(
            expected: .idle, desired: .watching, ordering: .acquiringAndReleasing)
        guard isFirst else { return }
        QueueScheduler.background.schedule(after: patience) {
            let before = phase.exchange(.over, ordering: .acquiringAndReleasing)
            guard before == .watching else { return }
            PromiseDiagnostics.report(
                .init(problem: .mainQueueNotServed(patience), origin: Origin(#fileID, #line)))
        }
    }

    /// The main queue runs work.
    static func isServed() {
        if phase.load(ordering: .relaxed) != .over { phase.store(.over, ordering: .releasing) }
    }
}
