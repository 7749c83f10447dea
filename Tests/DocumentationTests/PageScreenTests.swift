import Foundation
import Testing

/// `.ci/screens` runs `Tests/PageScreens` on a Mac. Here it is compiled with them, against the stubs: a page whose screen
/// has other names changes its tests, too.
@Suite("Screens of the pages", .timeLimit(.minutes(10)), .enabled(if: Frameworks.areStubs))
struct PageScreenTests {
    @Test("the tests of the pages' screens fit the code that is taken from the pages", .compiler)
    func compiled() async throws {
        let compiler = try Compiler.current
        let slot = compiler.slot("screens")
        try await withTemporaryFolder { folder in
            let package = folder.appending(path: "package")
            let script = Package.root.appending(path: ".ci/screens").path
            let outcome = try await Subprocess.run(
                ["/usr/bin/env", "bash", script, package.path], in: folder)
            #expect(outcome.isSuccess, "\(outcome.report)")
            let sources = ["Shopping", "ShoppingViews", "ShoppingController"].map { "Sources/Screens/\($0)" }
            var files = try (sources + ["Tests/ScreensTests/ScreenTests"]).map { path in
                let text = try String(contentsOf: package.appending(path: "\(path).swift"), encoding: .utf8)
                // There they are two modules.
                return Compiler.Source(
                    name: "\(path.split(separator: "/").last ?? "").swift",
                    text: text.replacing("@testable import Screens", with: ""))
            }
            files.append(.init(name: "Screen.swift", text: Self.screen))
            let program = try #require(
                Documentation.current.programs.first { $0.fileName == "ShoppingViews" })
            files += try Frameworks.adapters(for: program)
            let flags = try await ["-parse-as-library"] + Frameworks(compiler: compiler).flags()
            let report = try await compiler.check(files, flags: flags, in: slot)
            #expect(report == nil)
        }
    }

    /// What `Tests/PageScreens/Screen.swift` declares, without a window.
    private static let screen = """
        import SwiftUI
        import UIKit
        import XCTest

        @MainActor
        struct Screen {
            init(_ controller: UIViewController) {}
            init(_ view: some View) {}
            func layOut() {}
            func layOut(in test: XCTestCase) {}
            var rows: Int { 0 }
            var text: String? { nil }
            var fieldSize: CGSize { .zero }
            func enter(_ text: String) {}
            func actions(ofRow row: Int) -> [String: () -> Void] { [:] }
        }
        """
}
