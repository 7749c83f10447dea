import NIOCore
import Promise

extension Line {
    static let pending = Line(
        id: "b", what: "pending, one handler, fulfil", operations: 200_000,
        ours: .onThread("ours", fulfilPending), peers: [.onEventLoop("NIO", fulfilPendingNIO)],
        reach: [.allocations(3), .faster(1.3)])
}

@inline(never) @Sendable private func fulfilPending(_ operations: Int) {
    let addend = Sink.addend
    for index in 0..<operations {
        let (promise, resolver) = Promise<Int>.pending()
        promise.done { Sink.sum &+= $0 &+ addend }
        resolver.fulfill(index)
    }
}

@inline(never) @Sendable private func fulfilPendingNIO(_ operations: Int, _ loop: any EventLoop) {
    let addend = Sink.addend
    for index in 0..<operations {
        let promise = loop.makePromise(of: Int.self)
        promise.futureResult.whenSuccess { Sink.sum &+= $0 &+ addend }
        promise.succeed(index)
    }
}
