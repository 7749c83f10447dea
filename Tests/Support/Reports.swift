package import Promise

/// What the library reports about errors that nobody saw.
///
/// All test targets share one process and so one `PromiseDiagnostics.handler`; this is the only place that
/// sets it.
package enum Reports {
    private static let log: Lock<[PromiseDiagnostics.Report]> = {
        let log = Lock<[PromiseDiagnostics.Report]>([])
        PromiseDiagnostics.handler = { report in log.withLock { $0.append(report) } }
        return log
    }()

    /// To be called before what is to be reported.
    package static func begin() { _ = log }

    package static var all: [PromiseDiagnostics.Report] { log.withLock { $0 } }

    /// How many there have been so far.
    package static var count: Int { log.withLock { $0.count } }

    /// All but the first of them: those that came since there were so many.
    package static func all(after count: Int) -> ArraySlice<PromiseDiagnostics.Report> {
        log.withLock { $0.dropFirst(count) }
    }

    /// Those that tell of this name, which no other test uses.
    package static func about(_ name: String) -> [PromiseDiagnostics.Report] {
        all.filter { $0.description.contains(name) }
    }

    /// Those about a promise that was made here.
    package static func of(_ origin: Origin) -> [PromiseDiagnostics.Report] {
        all.filter { $0.origin == origin }
    }
}
