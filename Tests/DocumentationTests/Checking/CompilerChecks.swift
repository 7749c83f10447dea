import Foundation
import TestSupport
import Testing

/// The checks that call the compiler: hundreds of programs, which `swift test` leaves out but for those of README.
enum CompilerChecks {
    /// The command that runs them.
    static let command = ".ci/documentation"
    /// The environment variable by which it includes them.
    static let variable = documentationVariable
    /// Whether this run includes them.
    static let areIncluded = checksDocumentation
}

extension Trait where Self == ConditionTrait {
    /// For a test that compiles programs, except those of README.
    static var compiler: Self {
        .enabled(if: CompilerChecks.areIncluded, "\(CompilerChecks.command) compiles the documentation")
    }
}
