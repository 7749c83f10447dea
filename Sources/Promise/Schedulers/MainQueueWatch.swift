internal import Synchronization

/// Notices that work waits for the main queue and nothing serves that: a program that blocks its main thread, in
/// `readLine()` for example, would wait in silence.
///
/// It looks until the main queue is known to be served, and reports once.
final class MainQueueWatch: Sendable {
    /// How long the first work may wait.
    static let patience = Duration.seconds(1)

    private enum Phase: UInt8, AtomicRepresentable {
        case idle, watching, over
    }

    private let phase = Atomic(Phase.idle)
    private let scheduler: any SerialScheduler
    private let report: @Sendable (PromiseDiagnostics.Report) -> Void

    /// - Parameters:
    ///   - scheduler: On whose clock the time passes.
    ///   - report: Called where nothing serves the main queue.
    init(
        on scheduler: any SerialScheduler,
        report: @escaping @Sendable (PromiseDiagnostics.Report) -> Void = { PromiseDiagnostics.report($0) }
    ) {
        (self.scheduler, self.report) = (scheduler, report)
    }

    /// Work has been put on the main queue.
    func workEnqueued() {
        guard phase.load(ordering: .relaxed) == .idle else { return }
        let (isFirst, _) = phase.compareExchange(
            expected: .idle, desired: .watching, ordering: .acquiringAndReleasing)
        guard isFirst else { return }
        scheduler.schedule(after: Self.patience) { [self] in
            let before = phase.exchange(.over, ordering: .acquiringAndReleasing)
            guard before == .watching else { return }
            report(.init(problem: .mainQueueNotServed(Self.patience), origin: Origin(#fileID, #line)))
        }
    }

    /// The main queue runs work.
    func queueServed() {
        if phase.load(ordering: .relaxed) != .over { phase.store(.over, ordering: .releasing) }
    }
}
