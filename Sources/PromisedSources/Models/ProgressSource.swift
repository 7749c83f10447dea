/// A source of how far something is, to which that is reported.
///
/// ```swift
/// import PromisedSources
///
/// let progress = ProgressSource(total: 4)
/// progress.report(FetchProgress(completed: 2, total: 4))
/// print(progress.model.fraction ?? 0)
/// ```
///
/// It ends when it is complete: nothing is published after that.
public final class ProgressSource: StateSource {
    /// The state of the source.
    public let state = SourceState<FetchProgress>()
    /// Nothing is done yet.
    public let initialModel: FetchProgress

    /// - Parameter total: The units that are to be done; nil if their number is not known.
    public init(total: Int? = nil) { initialModel = FetchProgress(completed: 0, total: total) }

    /// Publishes how far it is. Does nothing once it is complete, or if that is known already.
    public func report(_ progress: FetchProgress) {
        if model.isComplete || model == progress { return }
        model = progress
    }
}

extension FetchProgress {
    /// Whether everything is done. Nothing is known to be if there is no total, or nothing to do.
    public var isComplete: Bool { total.map { $0 > 0 && completed >= $0 } ?? false }
}
