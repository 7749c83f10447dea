internal import Foundation

/// How often to repeat a race or a random case: `base`, or as many times more as PROMISED_ROUNDS says.
package func rounds(_ base: Int) -> Int {
    base * max(1, ProcessInfo.processInfo.environment["PROMISED_ROUNDS"].flatMap { Int($0) } ?? 1)
}
