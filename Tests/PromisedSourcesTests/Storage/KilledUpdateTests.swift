import Foundation
import TestSupport
import Testing

@testable import PromisedSources

/// Two processes that change one file, of which one is killed.
@Suite(.tags(.sharedState), .ownThreads) struct KilledUpdateTests {
    @Test(
        "of updates by two processes, one of which is killed at any of its operations, none is lost and none made twice"
    )
    func kills() async throws {
        // The logs are elsewhere, as the storage's folder contains nothing else.
        let (folder, logs) = (try TemporaryFolder(), try TemporaryFolder())
        let kills = rounds(10, stress: 200)
        for kill in 1...kills {
            // In a plain run these are spread over one update, which has 16 operations.
            let point = isStress ? kill : kill * 3 - 2
            await round([folder.url.path, logs.url.path], killedAt: point)
            let stored = FilePersistence(folder: folder.url).source(for: .number).value
            let count = stored.found?.value ?? 0
            let acknowledged = logs.text("log")?.split(separator: "\n").count ?? 0
            // One that was killed may have stored its last update without having said so.
            #expect(stored.error == nil && (acknowledged...acknowledged + kill).contains(count), "\(point)")
            #expect(folder.names.count { $0.hasSuffix(FileReplacement.ending) } <= kill, "\(point)")
        }
        #expect(FilePersistence(folder: folder.url).source(for: .number).value.found?.value ?? 0 >= kills * 5)
    }

    private func round(_ paths: [String], killedAt point: Int) async {
        await withTaskGroup { group in
            group.addTask {
                _ = await #expect(processExitsWith: .success) { [paths = paths as [String]] in
                    let files = FilePersistence(folder: URL(filePath: paths[0]))
                    let log = try WorkLog(paths[1])
                    for _ in 1...5 {
                        try files.update(0, for: .number) { $0 += 1 }
                        try log.add("steady")
                    }
                }
            }
            group.addTask {
                _ = await #expect(processExitsWith: .signal(SIGKILL)) {
                    [paths = paths as [String], point = point as Int] in
                    let files = KillingFiles.storage(paths[0], at: point)
                    let log = try WorkLog(paths[1])
                    while true {
                        try files.update(0, for: .number) { $0 += 1 }
                        try log.add("killed")
                    }
                }
            }
        }
    }
}
