package import Promise

/// The library's reports of unhandled errors and other problems.
///
/// All test targets share one process and so one `PromiseDiagnostics.handler`; this is the only place that
/// sets it.
package enum Reports {
    private static let log: Lock<[PromiseDiagnostics.Report]> = {
        let log = Lock<[PromiseDiagnostics.Report]>([])
        PromiseDiagnostics.handler = { report in log.withLock { $0.append(report) } }
        return log
    }()

    /// Installs the handler; call it before anything is reported.
    package static func begin() { _ = log }

    package static var all: [PromiseDiagnostics.Report] { log.withLock { $0 } }

    /// The number of reports so far.
    package static var count: Int { log.withLock { $0.count } }

    /// The reports after the first `count`.
    package static func all(after count: Int) -> ArraySlice<PromiseDiagnostics.Report> {
        log.withLock { $0.dropFirst(count) }
    }

    /// The reports that contain this name, which no other test uses.
    ///
    /// - Parameter count: Skips this many reports, which were made before the name was used: describing and searching
    ///   a report takes time.
    package static func about(_ name: String, after count: Int = 0) -> [PromiseDiagnostics.Report] {
        all(after: count).filter { $0.description.contains(name) }
    }

    /// The reports about a promise that was made at this place.
    package static func of(_ origin: Origin) -> [PromiseDiagnostics.Report] {
        all.filter { $0.origin == origin }
    }
}
