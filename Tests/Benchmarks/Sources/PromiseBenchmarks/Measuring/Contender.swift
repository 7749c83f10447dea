import Dispatch
import Foundation

/// One library's way of doing what a line measures.
struct Contender: Sendable {
    let name: String
    /// Does the operation `count` times, and returns the cost.
    let run: @Sendable (_ operations: Int) -> Sample
}

extension Contender {
    /// On a new thread with 512 KiB of stack, in the CPU time of that thread.
    static func onThread(_ name: String, _ loop: @escaping @Sendable (Int) -> Void) -> Contender {
        Contender(name: name) { operations in
            onSmallThread {
                let stopwatch = Stopwatch(.thread)
                loop(operations)
                return stopwatch.stop()
            }
        }
    }

    /// In a task on the default executor, in the CPU time of the process.
    static func asTask(_ name: String, _ loop: @escaping @Sendable (Int) async throws -> Void) -> Contender {
        Contender(name: name) { operations in
            let sample = Reply<Sample>()
            let done = DispatchSemaphore(value: 0)
            Task {
                let stopwatch = Stopwatch(.process)
                do { try await loop(operations) } catch { fatalError("\(error)") }
                sample.value = stopwatch.stop()
                done.signal()
            }
            done.wait()
            return sample.value!
        }
    }
}

/// Runs `body` to its end on a new thread with 512 KiB of stack.
func onSmallThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
    let result = Reply<Result>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        result.value = body()
        done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
    return result.value!
}

/// A value that one thread passes to another, which waits on a semaphore.
final class Reply<Value: Sendable>: @unchecked Sendable {
    var value: Value?
}
