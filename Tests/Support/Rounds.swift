internal import Foundation

/// How often to repeat a race or a random case: `everyday` times in a plain run; with PROMISED_ROUNDS, `stress` times,
/// multiplied by that variable.
///
/// - Parameters:
///   - everyday: So few that the whole suite takes less than a minute.
///   - stress: As many as the property deserves, for `.ci/stress`; by default as many as everyday.
package func rounds(_ everyday: Int, stress: Int? = nil) -> Int {
    guard let factor = ProcessInfo.processInfo.environment["PROMISED_ROUNDS"].flatMap({ Int($0) }) else {
        return everyday
    }
    return (stress ?? everyday) * max(1, factor)
}

/// Whether this is a run with PROMISED_ROUNDS, which also checks what takes long.
package var isStress: Bool { rounds(0, stress: 1) > 0 }

/// The environment variable that `.ci/documentation` sets.
package let documentationVariable = "PROMISED_DOCUMENTATION"

/// Whether this is a run of `.ci/documentation`, or one with PROMISED_ROUNDS: all that the documentation shows is
/// checked.
package var checksDocumentation: Bool {
    ProcessInfo.processInfo.environment[documentationVariable] != nil || isStress
}

/// The seed from which a test's random cases count: the same in every plain run, another one in each run with
/// PROMISED_ROUNDS.
package func firstSeed() -> UInt64 { isStress ? .random(in: 0 ... .max) : 30_000 }
