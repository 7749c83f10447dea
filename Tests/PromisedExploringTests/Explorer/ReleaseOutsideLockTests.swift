import Foundation
import Promise
import PromisedExploring
import PromisedSystem
import Synchronization
import TestSupport
import Testing

/// The user's values are released, compared and printed outside of every lock, because their code may call back. Inside
/// a lock that would deadlock, so each of these tests runs in its own process, which an alarm ends.
@Suite(.ownThreads) struct ReleaseOutsideLockTests {
    @Test("the deinit of a value that a variable of the world held can read the variable")
    func variable() async {
        await #expect(processExitsWith: .success) {
            alarm(20)
            let seen = Lock<[Int]>([])
            let explorer = Explorer<Int, String>(events: []) { world in
                let variable = world.variable(Token(0))
                variable.value = Token(1) { [weak variable] in
                    guard let variable else { return }
                    seen.withLock { $0.append(variable.value.number) }
                }
                variable.value = Token(2)
                return System(initialState: 0, scheduler: world.scheduler) { count, _ in .value(count) }
            }
            _ = explorer.explore(depth: 0)
            exit(seen.withLock { $0.contains(2) } ? 0 : 1)
        }
    }

    @Test("the deinit of an answer that no call of the world received can read a variable")
    func answer() async {
        await #expect(processExitsWith: .success) {
            alarm(20)
            let seen = Lock<[Int]>([])
            let explorer = Explorer<Int, String>(events: ["go"]) { world in
                let variable = world.variable(Token(7))
                return System(initialState: 0, scheduler: world.scheduler) { count, _ in
                    let other = Token(1) { seen.withLock { $0.append(variable.value.number) } }
                    return world.call("x", .value(Token(0), named: "a"), .value(other, named: "b"))
                        .map { _ in count }
                }
            }
            _ = explorer.explore(depth: 2)
            exit(seen.withLock { $0.contains(7) } ? 0 : 1)
        }
    }

    @Test("comparing values of a variable can read the variable")
    func compared() async {
        await #expect(processExitsWith: .success) {
            alarm(20)
            let seen = Lock<[Int]>([])
            let explorer = Explorer<Int, String>(events: ["go"]) { world in
                let variable = world.variable(Token(0))
                let isReading = Atomic(false)
                variable.value = Token(
                    1,
                    onCompare: { [weak variable] in
                        // Reading compares as well.
                        guard !isReading.exchange(true, ordering: .relaxed), let variable else { return }
                        seen.withLock { $0.append(variable.value.number) }
                        isReading.store(false, ordering: .relaxed)
                    })
                return System(initialState: 0, scheduler: world.scheduler) { count, _ in
                    .value(count + variable.value.number)
                }
            }
            _ = explorer.explore(depth: 3)
            exit(seen.withLock { $0.contains(1) } ? 0 : 1)
        }
    }
}

/// A number that reports its deinit and its comparisons.
private final class Token: Hashable, Sendable, CustomStringConvertible {
    let number: Int
    private let onEnd: @Sendable () -> Void
    private let onCompare: @Sendable () -> Void

    init(
        _ number: Int, onEnd: @escaping @Sendable () -> Void = {},
        onCompare: @escaping @Sendable () -> Void = {}
    ) {
        (self.number, self.onEnd, self.onCompare) = (number, onEnd, onCompare)
    }

    deinit { onEnd() }

    var description: String { "\(number)" }

    static func == (left: Token, right: Token) -> Bool {
        left.onCompare()
        right.onCompare()
        return left.number == right.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
