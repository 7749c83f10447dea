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

        /// Whether all other threads sleep through most calls of `work`, and a moment more, and no new
        /// one stays.
        ///
        /// A timer or a piece of work that Dispatch is given wakes one of its threads, now or when it is due.
        /// A thread also wakes for reasons of its own, such as Dispatch's look at its pools each second; and on
        /// a busy machine it may wake only after the next call. So `work` has several, and what it starts is
        /// started in each of them.
        static func isNothing(in work: () -> Void) -> Bool {
            let woken = (1...10).count { _ in
                let before = wakings
                work()
                Thread.sleep(forTimeInterval: 0.05)
                return wakings != before
            }
            return woken < 5
        }

        /// How often each other thread went to sleep.
        private static var wakings: [String: String] {
            let files = FileManager.default
            let own = try? files.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            let all = (try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            let others = all.filter { own?.hasSuffix("/task/\($0)") == false }
            return Dictionary(uniqueKeysWithValues: others.map { ($0, sleeps(of: $0)) })
        }

        private static func sleeps(of thread: String) -> String {
            let data = FileManager.default.contents(atPath: "/proc/self/task/\(thread)/status") ?? Data()
            let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
            return lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }.map(String.init) ?? "gone"
        }
    }
#endif
