internal import PromisedSystem

/// A path whose values were forgotten: those that are only in the storage, too, whose keys nobody knows.
struct ForgottenPath: Codable, Sendable {
    let path: [String]
    /// Counts them. A value that was stored since has the same number or a higher one.
    let number: Int
}

extension FetchStorage {
    private var forgottenKey: StorageKey<[ForgottenPath]> { StorageKey("promised.forgotten") }

    private var forgotten: [ForgottenPath] { persistence.source(for: forgottenKey).value.found?.value ?? [] }

    /// The number of what is stored now.
    var generation: Int { forgotten.last?.number ?? 0 }

    func forget(under path: [String]) {
        let all = forgotten
        // The new one includes those of the longer paths.
        let others = all.filter { !$0.path.starts(with: path) }
        persistence.set(
            others + [ForgottenPath(path: path, number: (all.last?.number ?? 0) + 1)], for: forgottenKey)
    }

    func isForgotten(_ record: FetchRecord, at path: [String]) -> Bool {
        forgotten.contains { $0.number > record.generation ?? 0 && path.starts(with: $0.path) }
    }
}
