internal import Dispatch
internal import Promise

/// The threads that wait until the reducer of another thread has returned the state that it changes in place.
///
/// Detects deadlocks: a reducer that reads another system must not wait for a reducer that, directly or through others,
/// waits for it.
enum ReducerWaits {
    /// A thread that waits, and what resumes it.
    struct Waiter: Sendable {
        let thread: UInt
        let signal: DispatchSemaphore
    }

    private struct ThreadWait: Sendable {
        let forThread: UInt
        let origin: Origin
    }

    private static let waits = Lock<[UInt: ThreadWait]>([:])

    /// Records that a thread waits for another, whose reducer handles the event sent at `origin`.
    ///
    /// - Returns: Nil if it may wait; the origin of the event that `thread` itself handles, if the other thread waits
    ///   for that one, directly or through others.
    static func begin(_ thread: UInt, for other: UInt, handling origin: Origin) -> Origin? {
        waits.withLock { waits in
            var next = waits[other]
            while let wait = next {
                if wait.forThread == thread { return wait.origin }
                next = waits[wait.forThread]
            }
            waits[thread] = ThreadWait(forThread: other, origin: origin)
            return nil
        }
    }

    /// Resumes threads that wait.
    static func resume(_ waiters: [Waiter]) {
        guard !waiters.isEmpty else { return }
        waits.withLock { waits in for waiter in waiters { waits[waiter.thread] = nil } }
        for waiter in waiters { waiter.signal.signal() }
    }
}
