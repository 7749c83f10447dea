import Promise

/// What went to `PromiseDiagnostics`. Its handler is process-wide: one collects for all tests, and each looks
/// for errors that no other test knows.
enum Reports {
    private static let collected: Lock<[PromiseDiagnostics.Report]> = {
        let collected = Lock<[PromiseDiagnostics.Report]>([])
        let previous = PromiseDiagnostics.handler
        PromiseDiagnostics.handler = { report in
            collected.withLock { $0.append(report) }
            previous?(report)
        }
        return collected
    }()

    static func install() { _ = collected }

    static func about(_ error: Boom) -> [PromiseDiagnostics.Report] {
        collected.withLock { $0 }.filter {
            if case .unhandled(let unhandled as Boom) = $0.problem { unhandled == error } else { false }
        }
    }

    static func abandoned(at origin: Origin) -> Int {
        collected.withLock { $0 }.count {
            if case .unhandled(PromiseError.abandoned(origin)) = $0.problem { true } else { false }
        }
    }
}
