internal import Dispatch
internal import Foundation

/// The main queue, where user interfaces live.
///
/// A command-line program has to serve it: await something in an `async` main, or call `dispatchMain()`.
public final class MainScheduler: SerialScheduler {
    static let shared = MainScheduler(MainQueueWatch(on: QueueScheduler.background))

    private struct Waiting {
        /// Work handed to the main queue that has not begun.
        var queued = 0
        /// Work that came while other work ran, and runs right after it.
        var next = Deque<Action>()
        var isRunning = false
    }

    private let waiting = Lock(Waiting())
    private let executor = QueueExecutor(queue: .main)

    private let mark = DispatchSpecificKey<Bool>()
    private let watch: MainQueueWatch

    /// - Parameter watch: Told what waits for the main queue, and that it is served.
    init(_ watch: MainQueueWatch) {
        self.watch = watch
        DispatchQueue.main.setSpecific(key: mark, value: true)
        executor.scheduler.withLock { [unowned self] in $0 = .init(scheduler: self) }
    }

    /// The time since the program's first look at the clock.
    public var now: Duration { Uptime.now }

    /// Whether the caller is on the main thread, or on the main queue: on Linux another thread serves that
    /// once `main` has handed it over.
    public var isCurrent: Bool { isMainThread || DispatchQueue.getSpecific(key: mark) == true }

    /// Asked of the system once for each thread: on Linux that takes two calls into the kernel.
    private var isMainThread: Bool {
        let trampoline = Trampoline.current
        if let isMainThread = trampoline.state.pointee.isMainThread { return isMainThread }
        trampoline.state.pointee.isMainThread = Thread.isMainThread
        return Thread.isMainThread
    }

    /// Runs `work` on the main thread: before this call returns when the caller is there already and
    /// nothing waits before it, otherwise in its order on the main queue. Inside other work of this scheduler
    /// it waits for that to return.
    public func schedule(_ work: @escaping @Sendable () -> Void) {
        enum Way { case now, afterThis, queue }
        let way: Way = waiting.withLock {
            guard isCurrent, $0.queued == 0 else { return .queue }
            guard !$0.isRunning else {
                $0.next.append(Action(work))
                return .afterThis
            }
            $0.isRunning = true
            return .now
        }
        switch way {
        case .now: runAll(work)
        case .afterThis: break
        case .queue: enqueue(work)
        }
    }

    /// Runs `work`, and what it schedules meanwhile.
    private func runAll(_ work: @escaping @Sendable () -> Void) {
        var next: Action? = Action(work)
        while let work = next {
            runAsCurrent(work.run)
            next = waiting.withLock {
                if let work = $0.next.popFirst() { return work }
                $0.isRunning = false
                return nil
            }
        }
    }

    private func enqueue(_ work: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.queued += 1 }
        watch.workEnqueued()
        DispatchQueue.main.async { self.begin(work, queued: 1) }
    }

    /// Begins work that the main queue brings. Inside other work only if that serves the queue itself, as a
    /// modal loop does; what it schedules then waits for both.
    private func begin(_ work: @escaping @Sendable () -> Void, queued: Int) {
        watch.queueServed()
        let isInside = waiting.withLock { waiting in
            waiting.queued -= queued
            defer { waiting.isRunning = true }
            return waiting.isRunning
        }
        if isInside { runAsCurrent(work) } else { runAll(work) }
    }

    /// Runs `work` on the main queue when `delay` has passed, unless cancelled before.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        if delay <= .zero { watch.workEnqueued() }
        return DispatchQueue.main.scheduleWork(after: delay) { self.begin(work, queued: 0) }
    }

    /// Runs `async` work on the main queue.
    public var taskExecutor: (any TaskExecutor)? { executor }
}

extension SerialScheduler where Self == MainScheduler {
    /// The main queue.
    public static var main: MainScheduler { .shared }
}
