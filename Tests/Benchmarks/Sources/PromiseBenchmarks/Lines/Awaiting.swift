import OpenCombine
import Promise

extension Line {
    static let awaitValue = Line(
        id: "k1", what: "await a promise that is a value", operations: 200_000,
        ours: .asTask("ours", readValue), peers: [.asTask("OpenCombine", readFuture)],
        reach: [.faster(20), .noSuspension { try await readValue(100) }])

    static let awaitSettled = Line(
        id: "k1s", what: "await a promise that was pending and is fulfilled", operations: 200_000,
        ours: .asTask("ours", readSettled), peers: [.asTask("OpenCombine", readFuture)],
        reach: [.faster(20), .noSuspension { try await readSettled(100) }])

    static let awaitPending = Line(
        id: "k2", what: "await a pending promise in a new task, fulfil it", operations: 50_000,
        ours: .asTask("ours", waitForPending),
        peers: [.asTask("bare continuation", waitForContinuation)],
        reach: [.within(1.6)], stretch: [.within(1.2)],
        note:
            "each with a Task.immediate that waits and is awaited, which is most of the cost of the bare form."
    )
}

// MARK: Fulfilled

@inline(never) @Sendable private func readValue(_ operations: Int) async throws {
    let addend = Sink.addend
    let promise = Promise.value(addend)
    for _ in 0..<operations { Sink.sum &+= try await promise.value }
}

@inline(never) @Sendable private func readSettled(_ operations: Int) async throws {
    let addend = Sink.addend
    let (promise, resolver) = Promise<Int>.pending()
    resolver.fulfill(addend)
    for _ in 0..<operations { Sink.sum &+= try await promise.value }
}

@inline(never) @Sendable private func readFuture(_ operations: Int) async {
    let addend = Sink.addend
    let future = Future<Int, Never> { $0(.success(addend)) }
    for _ in 0..<operations { Sink.sum &+= await future.value }
}

// MARK: Pending

@inline(never) @Sendable private func waitForPending(_ operations: Int) async throws {
    for index in 0..<operations {
        let (promise, resolver) = Promise<Int>.pending()
        let waiting = Task.immediate { try await promise.value }
        resolver.fulfill(index)
        Sink.sum &+= try await waiting.value
    }
}

@inline(never) @Sendable private func waitForContinuation(_ operations: Int) async {
    for index in 0..<operations {
        let waiting = Task.immediate { await withUnsafeContinuation { Waiting.continuation = $0 } }
        Waiting.continuation!.resume(returning: index)
        Sink.sum &+= await waiting.value
    }
}

/// Receives the continuation of the waiting task, before the immediate start returns.
private enum Waiting {
    @exclusivity(unchecked) nonisolated(unsafe) static var continuation: UnsafeContinuation<Int, Never>?
}
