import Dispatch
import NIOCore
import NIOPosix

extension Contender {
    /// On the thread of NIO's event loop, in the CPU time of that thread.
    static func onEventLoop(
        _ name: String, _ loop: @escaping @Sendable (Int, any EventLoop) -> Void
    ) -> Contender {
        Contender(name: name) { operations in
            EventLoops.run {
                let stopwatch = Stopwatch(.thread)
                loop(operations, EventLoops.one)
                return stopwatch.stop()
            }
        }
    }
}

enum EventLoops {
    static let one: any EventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    /// Runs `body` to its end on the loop's thread, behind pending work.
    static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
        let result = Reply<Result>()
        let done = DispatchSemaphore(value: 0)
        one.execute {
            result.value = body()
            done.signal()
        }
        done.wait()
        return result.value!
    }
}
