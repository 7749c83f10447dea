internal import Synchronization

/// Detects that work is pending on the main queue and nothing serves the queue: a program that blocks its main thread,
/// for example in `readLine()`, would otherwise hang without a message.
///
/// It watches from the first enqueued work until the main queue runs work or the delay has passed, and reports at most
/// once.
final class MainQueueWatch: Sendable {
    /// How long the first enqueued work may be pending before it is reported.
    static let patience = Duration.seconds(1)

    private enum WatchPhase: UInt8, AtomicRepresentable {
        case idle, watching, over
    }

    private let phase = Atomic(WatchPhase.idle)
    private let scheduler: any SerialScheduler
    private let report: @Sendable (PromiseDiagnostics.Report) -> Void

    /// - Parameters:
    ///   - scheduler: The scheduler whose clock measures the delay.
    ///   - report: Called on `scheduler` if the main queue is not served in time.
    init(
        on scheduler: any SerialScheduler,
        report: @escaping @Sendable (PromiseDiagnostics.Report) -> Void = { PromiseDiagnostics.report($0) }
    ) {
        (self.scheduler, self.report) = (scheduler, report)
    }

    /// Called when work has been enqueued on the main queue; starts the watch the first time.
    func workEnqueued() {
        guard phase.load(ordering: .relaxed) == .idle else { return }
        let (isFirst, _) = phase.compareExchange(
            expected: .idle, desired: .watching, ordering: .acquiringAndReleasing)
        guard isFirst else { return }
        scheduler.schedule(after: Self.patience) { [self] in
            let before = phase.exchange(.over, ordering: .acquiringAndReleasing)
            guard before == .watching else { return }
            report(
                .init(
                    problem: PromiseProblem.mainQueueNotServed(Self.patience), origin: Origin(#fileID, #line))
            )
        }
    }

    /// Called when the main queue runs work; ends the watch.
    func queueServed() {
        if phase.load(ordering: .relaxed) != .over { phase.store(.over, ordering: .releasing) }
    }
}
