import Foundation
import TestSupport
import Testing

/// The checks that call the compiler: hundreds of programs, which `swift test` leaves out but for those of README.
enum CompilerChecks {
    /// The command that runs them.
    static let command = ".ci/documentation"
    /// Whether this run includes them.
    static let areIncluded = checksDocumentation
}

extension Trait where Self == ConditionTrait {
    /// For a test that compiles programs, except those of README.
    static var compiler: Self {
        .enabled(if: CompilerChecks.areIncluded, "\(CompilerChecks.command) compiles the documentation")
    }
}

/// What a run leaves out is never left out silently.
@Suite("Compiler checks")
struct CompilerChecksTests {
    @Test("a run without the compiler says so in its last line", .disabled(if: CompilerChecks.areIncluded))
    func notice() {
        atexit {
            let (count, command) = (Documentation.current.programs.count, CompilerChecks.command)
            print("Only README's programs were compiled. \(command) compiles all \(count).")
        }
    }
}
