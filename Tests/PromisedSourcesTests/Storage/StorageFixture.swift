import Foundation
import Promise
import PromisedTesting

@testable import PromisedSources

/// A folder of its own for one test, removed with everything in it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        let name = "PromisedSources-\(UUID().uuidString)"
        url = FileManager.default.temporaryDirectory.appending(path: name).resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

    func path(_ name: String) -> String { url.path + "/" + name }

    func data(_ name: String) -> Data? { FileManager.default.contents(atPath: path(name)) }

    func text(_ name: String) -> String? { data(name).map { String(decoding: $0, as: UTF8.self) } }

    func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

    func write(_ data: Data, to name: String) throws { try data.write(to: URL(filePath: path(name))) }
}

/// A folder with virtual time: the date is that of the scheduler.
struct StorageFixture {
    let folder: TemporaryFolder
    let scheduler = TestScheduler()

    init() throws { folder = try TemporaryFolder() }

    var now: @Sendable () -> Date {
        { [scheduler] in
            Date(timeIntervalSince1970: 1_700_000_000).addingTimeInterval(scheduler.now.inSeconds)
        }
    }

    func files(
        _ operations: some FileOperations = SystemFiles(), maximumSize: Int = 1 << 26,
        pause: Duration = .milliseconds(300)
    ) -> FilePersistence {
        FilePersistence(
            folder.url, operations,
            StorageTiming(scheduler: scheduler, pause: pause, now: now), maximumSize)
    }

    /// What a new process would find.
    func stored<Value: Sendable>(_ key: StorageKey<Value>) -> Persistable<Value> {
        files().source(for: key).value
    }
}

/// A value of several parts, of which it can be seen whether it is whole.
struct Document: Codable, Sendable, Equatable {
    var number: Int
    var parts: [Int]

    init(_ number: Int, parts: Int = 100) {
        (self.number, self.parts) = (number, Array(repeating: number, count: parts))
    }

    var isWhole: Bool { !parts.isEmpty && parts.allSatisfy { $0 == number } }
}

extension StorageKey<Document> { static var document: StorageKey { StorageKey("document.json") } }
extension StorageKey<Int> { static var number: StorageKey { StorageKey("number.json") } }

extension Persistable {
    var error: (any Error)? {
        switch self {
        case .found(let found): found.error
        case .notFound(let notFound): notFound.error
        }
    }
}
