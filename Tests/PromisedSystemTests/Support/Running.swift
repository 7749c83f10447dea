import Dispatch
import Foundation
import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// Runs `body` on a thread with a stack of 512 KiB and waits for its end.
func onSmallStack(_ body: @escaping @Sendable () -> Void) async { await onThread(stack: 512 * 1024, body) }

/// Runs `body` on a new thread and waits for its end.
func onThread(stack: Int? = nil, _ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        let thread = Thread {
            body()
            continuation.resume()
        }
        if let stack { thread.stackSize = stack }
        thread.start()
    }
}

/// Runs `body` on `count` threads at once and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
        for index in 0..<count { group.addTask { await onThread { body(index) } } }
    }
}

/// Runs `body` on a new thread and blocks the current one meanwhile.
func holding(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        body()
        done.signal()
    }
    done.wait()
}

/// Runs `body` inside of an in-place reducer of a system of its own.
func inReducer(_ body: @escaping @Sendable () -> Void) {
    System<Int, Int>(
        initialState: 0, scheduler: .immediate, reducer: Reducer { (_: inout Int, _: Int) in body() }
    ).sendEvent(1)
}

/// Returns when everything that was enqueued before has run.
func drained(_ queue: DispatchQueue) async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
}

extension SerialScheduler {
    /// Returns when everything that was scheduled before has run.
    func caughtUp() async {
        if let virtual = self as? TestScheduler { return virtual.advance() }
        await withCheckedContinuation { continuation in
            schedule(after: .zero) { continuation.resume() }
        }
    }
}

/// Returns when everything in flight to the main thread has arrived: an event, what it shows, and what that sends. On the
/// main thread it has as a rule; another test may have work pending there, and then each of these is enqueued.
func mainCaughtUp() async {
    for _ in 0..<3 { await MainScheduler.main.caughtUp() }
}

extension System {
    /// Returns when a settled state satisfies `isIt`.
    func settled(_ isIt: @escaping @Sendable (State) -> Bool) async {
        for await state in settled.values where isIt(state) { return }
    }
}
