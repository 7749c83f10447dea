import Foundation
import Testing

/// What the compiler said is used again for the same input, and for no other.
@Suite("Verdicts")
struct VerdictTests {
    private static let report = "/page.md:3:1: error: cannot find 'a' in scope\na\n^\nexit code 1"

    @Test("a refusal is used again for the same input only, and is no success")
    func refusal() async throws {
        try await withTemporaryFolder { folder in
            let verdict = Verdict(slot: folder, key: "a text")
            #expect(verdict.refusal == nil)
            try verdict.keepRefusal(Self.report)
            #expect(verdict.refusal == Self.report && !verdict.isSuccess)
            let other = Verdict(slot: folder, key: "a text\n")
            #expect(other.refusal == nil && !other.isSuccess)
        }
    }

    @Test("a success is used again for the same input only, and is no refusal")
    func success() async throws {
        try await withTemporaryFolder { folder in
            let verdict = Verdict(slot: folder, key: "a text")
            try verdict.keepSuccess()
            #expect(verdict.isSuccess && verdict.refusal == nil)
            #expect(!Verdict(slot: folder, key: "another").isSuccess)
        }
    }

    @Test(
        "a failure that may have another reason than the text is not kept",
        arguments: [
            "", "killed", "<unknown>:0: error: no space left on device", "error: fatalError",
            "\(report)\n<unknown>:0: error: no space left on device",
        ])
    func otherReasons(report: String) async throws {
        try await withTemporaryFolder { folder in
            let verdict = Verdict(slot: folder, key: "a text")
            try verdict.keepRefusal(report)
            #expect(verdict.refusal == nil)
        }
    }
}
