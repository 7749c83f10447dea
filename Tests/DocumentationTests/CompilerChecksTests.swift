import Foundation
import Testing

/// What a run leaves out is never left out silently.
@Suite("Compiler checks")
struct CompilerChecksTests {
    @Test(
        "a run without the compiler names in its last line the command that includes it, and that command does"
    )
    func notice() throws {
        #expect(try Package.text(CompilerChecks.command).contains("\n\(CompilerChecks.variable)=1 "))
        #expect(
            FileManager.default.isExecutableFile(
                atPath: Package.root.appending(path: CompilerChecks.command).path))
        if CompilerChecks.areIncluded { return }
        atexit {
            let (count, command) = (Documentation.current.programs.count, CompilerChecks.command)
            print("Only README's programs were compiled. \(command) compiles all \(count).")
        }
    }
}
