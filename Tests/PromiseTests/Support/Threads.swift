import Dispatch
import Foundation
import Promise
import Testing

/// Runs `bodies` concurrently, each on its own thread with `stack` bytes of stack, and waits for all of them.
func onThreads<Result: Sendable>(
    stack: Int = 512 << 10, _ bodies: (@Sendable () -> Result)...
) -> [Result] {
    let done = DispatchGroup()
    let results = bodies.map { body in
        let result = Box<Result>()
        let thread = Thread {
            result.value = body()
            done.leave()
        }
        thread.stackSize = stack
        done.enter()
        thread.start()
        return result
    }
    done.wait()
    return results.map { $0.value! }
}

/// Tests that use several cores; they run one at a time.
@Suite(.serialized) struct Heavy {}
