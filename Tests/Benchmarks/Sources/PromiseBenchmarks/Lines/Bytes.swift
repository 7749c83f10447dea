import MemoryCounting
import NIOCore
import Promise

extension Line {
    static let bytes = Line(
        id: "i", what: "a pending promise with one handler, its resolver kept: memory",
        operations: 100_000, smallest: 100_000,
        ours: Contender(name: "ours") { count in onSmallThread { holdPending(count) } },
        peers: [
            Contender(name: "NIO") { count in
                EventLoops.run { holdPendingNIO(count, EventLoops.one) }
            }
        ],
        reach: [.bytes(240)], stretch: [.bytes(160)],
        note:
            "\"times faster\" reads times smaller; bytes in use by malloc, its headers included, without the "
            + "array that keeps the resolvers.")
}

/// Not a time: the bytes take its place in the table.
private func sample(bytesBefore: Int, allocationsBefore: Int64) -> Sample {
    Sample(
        nanoseconds: Double(Int(bytes_in_use()) - bytesBefore),
        allocations: Int(counted_allocations() - allocationsBefore), sum: Sink.sum)
}

@inline(never) private func holdPending(_ count: Int) -> Sample {
    let addend = Sink.addend
    Sink.sum = 0
    var resolvers: [Resolver<Int>] = []
    resolvers.reserveCapacity(count + 1)
    func hold() {
        let (promise, resolver) = Promise<Int>.pending()
        promise.done { Sink.sum &+= $0 &+ addend }
        resolvers.append(resolver)
    }
    // The first promise makes a thread's permanent allocations.
    hold()
    let (bytes, allocations) = (Int(bytes_in_use()), counted_allocations())
    for _ in 0..<count { hold() }
    let result = sample(bytesBefore: bytes, allocationsBefore: allocations)
    for resolver in resolvers { resolver.fulfill(0) }
    return result
}

@inline(never) private func holdPendingNIO(_ count: Int, _ loop: any EventLoop) -> Sample {
    let addend = Sink.addend
    Sink.sum = 0
    var promises: [EventLoopPromise<Int>] = []
    promises.reserveCapacity(count + 1)
    func hold() {
        let promise = loop.makePromise(of: Int.self)
        promise.futureResult.whenSuccess { Sink.sum &+= $0 &+ addend }
        promises.append(promise)
    }
    hold()
    let (bytes, allocations) = (Int(bytes_in_use()), counted_allocations())
    for _ in 0..<count { hold() }
    let result = sample(bytesBefore: bytes, allocationsBefore: allocations)
    for promise in promises { promise.succeed(0) }
    return result
}
