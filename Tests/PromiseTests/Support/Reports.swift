import Promise
import TestSupport

extension Reports {
    static func about(_ error: Boom) -> [PromiseDiagnostics.Report] {
        all.filter {
            if case .unhandled(let unhandled as Boom) = $0.problem { unhandled == error } else { false }
        }
    }

    static func abandoned(at origin: Origin) -> Int {
        all.count {
            if case .unhandled(PromiseError.abandoned(origin)) = $0.problem { true } else { false }
        }
    }
}
