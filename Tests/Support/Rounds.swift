internal import Foundation

/// How often to repeat a race or a random case: `base`, multiplied by PROMISED_ROUNDS if that is set.
package func rounds(_ base: Int) -> Int {
    base * max(1, ProcessInfo.processInfo.environment["PROMISED_ROUNDS"].flatMap { Int($0) } ?? 1)
}
