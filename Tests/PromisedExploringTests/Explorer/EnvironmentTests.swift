import Foundation
import PromisedExploring
import TestSupport
import Testing

/// The environment is read once, so each of these runs in its own process.
@Suite(.ownThreads) struct EnvironmentTests {
    @Test(
        "the default time limit is two minutes, or that of the environment",
        arguments: [("", 120), ("7", 7), ("0", nil), ("soon", 120), ("-1", 120)] as [(String, Int?)])
    func timeLimit(value: String, seconds: Int?) async {
        await #expect(processExitsWith: .success) { [value, seconds] in
            setenv("PROMISED_TIME_LIMIT", value, 1)
            exit(ExplorationOptions().timeLimit == seconds.map { .seconds($0) } ? 0 : 1)
        }
    }

    @Test(
        "by default one path of 100 is audited, or of as many as the environment says",
        arguments: [("", 100), ("1", 1), ("0", 0), ("all", 100), ("-1", 100)])
    func audit(value: String, paths: Int) async {
        await #expect(processExitsWith: .success) { [value, paths] in
            setenv("PROMISED_AUDIT", value, 1)
            exit(ExplorationOptions().audit == paths ? 0 : 1)
        }
    }
}
