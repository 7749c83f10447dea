import Promise
import TestSupport

extension Reports {
    /// The reports about `error`.
    ///
    /// - Parameter count: Skips this many reports, which were made before the error existed.
    static func about(_ error: Boom, after count: Int = 0) -> [PromiseDiagnostics.Report] {
        all(after: count).filter {
            if case PromiseProblem.unhandled(let unhandled as Boom) = $0.problem {
                unhandled == error
            } else {
                false
            }
        }
    }

    static func abandoned(at origin: Origin) -> Int {
        all.count {
            if case PromiseProblem.unhandled(PromiseError.abandoned(origin)) = $0.problem {
                true
            } else {
                false
            }
        }
    }
}
