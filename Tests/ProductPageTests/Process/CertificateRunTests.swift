import Foundation
import Testing

@testable import ProductPage

/// A server that says it is who it is, and nobody vouches for it.
@Suite(.timeLimit(.minutes(10)), .enabled(if: SelfSignedServer.isPossible, "there is no openssl here"))
struct CertificateRunTests {
    @Test("a certificate that no authority has signed is not trusted: one line, and nothing is shown")
    func selfSigned() async throws {
        let folder = try TemporaryFolder()
        let server = try await SelfSignedServer(in: folder.path)
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run(server.url("/"))
        #expect(outcome.output == "")
        #expect(
            outcome.errors == "product-page: \(server.url("/")): the server's certificate cannot be trusted\n"
        )
        #expect(outcome.code == 69)
        #expect(!FileManager.default.fileExists(atPath: home.file(".cache/product-page")))
        // The same server is one that answers, for who does not ask for its papers.
        #expect(try server.answersWithoutChecks())
    }
}
