import Promise

extension Line {
    static let recursionAtOnce = Line(
        id: "f1", what: "1,000,000 recursive flatMaps, each step fulfilled at once: a step",
        operations: 1_000_000, smallest: 1_000_000,
        ours: .onThread("ours", recurseAtOnce), peers: [.onThread("async", recurseAtOnceAsync)],
        reach: [.nanoseconds(400), .growth(mebibytes: 1)],
        note:
            "both on a thread with 512 KiB of stack, here and in f2. NIO overflows a stack of 8 MiB at 100,000 "
            + "steps, so it is not run. The memory is the most that was in use beyond the start.")

    static let recursionLater = Line(
        id: "f2", what: "1,000,000 recursive flatMaps, each step fulfilled later: a step",
        operations: 1_000_000, smallest: 1_000_000,
        ours: .onThread("ours", recurseLater), peers: [.onThread("async", recurseLaterAsync)],
        reach: [.nanoseconds(700), .growth(mebibytes: 1)],
        note: "a driver on the same thread fulfils each step after it was returned; for `async` it resumes a "
            + "continuation and runs the task's job.")
}

// MARK: Fulfilled at once

@inline(never) @Sendable private func recurseAtOnce(_ steps: Int) {
    countDown(steps).done { Sink.sum &+= $0 }
}

@inline(never) @Sendable private func countDown(_ left: Int) -> Promise<Int> {
    Growth.look(left)
    return left == 0 ? .value(7) : Promise.value(left).flatMap { countDown($0 &- 1) }
}

@inline(never) @Sendable private func recurseAtOnceAsync(_ steps: Int) {
    let executor = DrivenExecutor()
    Task(executorPreference: executor) { Sink.sum &+= await countDownAsync(steps) }
    executor.runJobs()
}

@inline(never) private func countDownAsync(_ left: Int) async -> Int {
    Growth.look(left)
    return left == 0 ? 7 : await countDownAsync(await atOnce(left) &- 1)
}

@inline(never) private func atOnce(_ value: Int) async -> Int { value }

// MARK: Fulfilled later

/// The resolver of the pending step; one thread at a time accesses it.
private enum Waiting {
    @exclusivity(unchecked) nonisolated(unsafe) static var resolver: Resolver<Int>?
    @exclusivity(unchecked) nonisolated(unsafe) static var continuation: UnsafeContinuation<Int, Never>?
}

@inline(never) @Sendable private func recurseLater(_ steps: Int) {
    countDownLater(steps).done { Sink.sum &+= $0 }
    for step in stride(from: steps, to: 0, by: -1) {
        let resolver = Waiting.resolver.take()!
        resolver.fulfill(step)
    }
}

@inline(never) @Sendable private func countDownLater(_ left: Int) -> Promise<Int> {
    Growth.look(left)
    guard left > 0 else { return .value(7) }
    let (promise, resolver) = Promise<Int>.pending()
    Waiting.resolver = resolver
    return promise.flatMap { countDownLater($0 &- 1) }
}

@inline(never) @Sendable private func recurseLaterAsync(_ steps: Int) {
    let executor = DrivenExecutor()
    Task(executorPreference: executor) { Sink.sum &+= await countDownLaterAsync(steps) }
    executor.runJobs()
    for step in stride(from: steps, to: 0, by: -1) {
        let continuation = Waiting.continuation.take()!
        continuation.resume(returning: step)
        executor.runJobs()
    }
}

@inline(never) private func countDownLaterAsync(_ left: Int) async -> Int {
    Growth.look(left)
    guard left > 0 else { return 7 }
    let value = await withUnsafeContinuation { Waiting.continuation = $0 }
    return await countDownLaterAsync(value &- 1)
}
