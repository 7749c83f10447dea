import Promise
import TestSupport

extension Reports {
    /// - Parameter count: How many reports there were when there was no such error yet.
    static func about(_ error: Boom, after count: Int = 0) -> [PromiseDiagnostics.Report] {
        all(after: count).filter {
            if case .unhandled(let unhandled as Boom) = $0.problem { unhandled == error } else { false }
        }
    }

    static func abandoned(at origin: Origin) -> Int {
        all.count {
            if case .unhandled(PromiseError.abandoned(origin)) = $0.problem { true } else { false }
        }
    }
}
