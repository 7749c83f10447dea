#if os(Linux)
    import Foundation
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// What this process starts that is not a call: tasks, timers, work for a queue, threads.
    enum StartedWork {
        /// The jobs that Swift's concurrency was given since `countTasks()`.
        static var tasks: Int { count.load(ordering: .sequentiallyConsistent) }

        private static let count = Atomic(0)

        private typealias Job = UnsafeMutableRawPointer
        private typealias Original = @convention(c) (Job) -> Void
        private typealias DelayedOriginal = @convention(c) (UInt64, Job) -> Void
        private typealias TimedOriginal = @convention(c) (Int64, Int64, Int64, Int64, Int32, Job) -> Void
        private typealias Hook = @convention(c) (Job, Original) -> Void
        private typealias DelayedHook = @convention(c) (UInt64, Job, DelayedOriginal) -> Void
        private typealias TimedHook =
            @convention(c) (
                Int64, Int64, Int64, Int64, Int32, Job, TimedOriginal
            ) -> Void

        /// Counts from here on, through the hooks that the runtime has for each way to enqueue a job.
        static func countTasks() {
            let hook: Hook = { job, original in
                StartedWork.add()
                original(job)
            }
            let delayed: DelayedHook = { delay, job, original in
                StartedWork.add()
                original(delay, job)
            }
            let timed: TimedHook = { seconds, nanoseconds, leeway, fraction, clock, job, original in
                StartedWork.add()
                original(seconds, nanoseconds, leeway, fraction, clock, job)
            }
            install(hook, "swift_task_enqueueGlobal_hook")
            install(hook, "swift_task_enqueueMainExecutor_hook")
            install(delayed, "swift_task_enqueueGlobalWithDelay_hook")
            install(timed, "swift_task_enqueueGlobalWithDeadline_hook")
        }

        private static func add() { count.add(1, ordering: .sequentiallyConsistent) }

        private static func install<Function>(_ function: Function, _ name: String) {
            guard let place = dlsym(nil, name) else { preconditionFailure("there is no \(name)") }
            place.assumingMemoryBound(to: Function.self).pointee = function
        }

        /// Whether all other threads sleep on while `work` is called.
        ///
        /// Who gives Dispatch a timer or a piece of work has woken or started one of its threads when that call
        /// returns. Such a thread does not sleep, however long it waits for a processor: so once all others
        /// sleep, how often each went to sleep says whether one was woken, on a busy machine too.
        ///
        /// A thread also wakes for reasons of its own, such as Dispatch's look at its pools each second. So
        /// `work` has several calls: one of them is quiet where it starts nothing, and none where it does.
        static func isNothing(in work: () -> Void) -> Bool {
            (1...25).contains { _ in
                let before = sleepsOfOthers()
                work()
                return sleepsOfOthers() == before
            }
        }

        /// How often each other thread went to sleep, once all of them sleep.
        @discardableResult static func sleepsOfOthers() -> [String: String] {
            while true {
                let threads = otherThreads()
                if threads.values.allSatisfy(\.isAsleep) { return threads.mapValues(\.sleeps) }
                // Nobody is told when a thread goes to sleep, so it is looked up again.
                Thread.sleep(forTimeInterval: 0.001)
            }
        }

        private static func otherThreads() -> [String: ThreadStatus] {
            let files = FileManager.default
            let own = try? files.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            let all = (try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            let others = all.filter { own?.hasSuffix("/task/\($0)") == false }
            return Dictionary(others.map { ($0, ThreadStatus(of: $0)) }) { $1 }
        }
    }

    /// What the kernel says of a thread.
    private struct ThreadStatus {
        /// Whether it waits for something other than a processor, or has ended.
        let isAsleep: Bool
        /// How often it went to sleep.
        let sleeps: String

        init(of thread: String) {
            let data = FileManager.default.contents(atPath: "/proc/self/task/\(thread)/status") ?? Data()
            let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
            isAsleep = !lines.contains { $0.hasPrefix("State:\tR") }
            sleeps = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }.map(String.init) ?? "gone"
        }
    }
#endif
