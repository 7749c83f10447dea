import NIOCore
import Promise

extension Line {
    static let parallel = inParallel(
        id: "h", what: "parallel of 10,000 pending promises, made and fulfilled: a promise", members: 10_000,
        operations: 100_000)
    static let millionInParallel = inParallel(
        id: "h6", what: "parallel of 1,000,000: a promise", members: 1_000_000, operations: 1_000_000)

    private static func inParallel(id: String, what: String, members: Int, operations: Int) -> Line {
        Line(
            id: id, what: what, operations: operations, smallest: members,
            ours: .onThread("ours") { gather(members, rounds: $0 / members) },
            peers: [.onEventLoop("NIO") { gatherNIO(members, rounds: $0 / members, $1) }],
            reach: [.allocations(4), .faster(2)])
    }
}

@inline(never) private func gather(_ count: Int, rounds: Int) {
    let addend = Sink.addend
    for _ in 0..<rounds {
        var members: [Promise<Int>] = []
        var resolvers: [Resolver<Int>] = []
        members.reserveCapacity(count)
        resolvers.reserveCapacity(count)
        for _ in 0..<count {
            let (promise, resolver) = Promise<Int>.pending()
            members.append(promise)
            resolvers.append(resolver)
        }
        Promise<Int>.parallel(members).done { Sink.sum &+= $0.reduce(addend, &+) }
        for (index, resolver) in resolvers.enumerated() { resolver.fulfill(index) }
    }
}

@inline(never) private func gatherNIO(_ count: Int, rounds: Int, _ loop: any EventLoop) {
    let addend = Sink.addend
    for _ in 0..<rounds {
        var members: [EventLoopFuture<Int>] = []
        var promises: [EventLoopPromise<Int>] = []
        members.reserveCapacity(count)
        promises.reserveCapacity(count)
        for _ in 0..<count {
            let promise = loop.makePromise(of: Int.self)
            members.append(promise.futureResult)
            promises.append(promise)
        }
        EventLoopFuture.whenAllSucceed(members, on: loop).whenSuccess {
            Sink.sum &+= $0.reduce(addend, &+)
        }
        for (index, promise) in promises.enumerated() { promise.succeed(index) }
    }
}
