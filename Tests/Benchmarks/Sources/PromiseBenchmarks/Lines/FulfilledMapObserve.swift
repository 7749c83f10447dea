import NIOCore
import Promise

extension Line {
    static let fulfilled = Line(
        id: "a", what: "fulfilled, map, observe", operations: 200_000,
        ours: .onThread("ours", mapFulfilled), peers: [.onEventLoop("NIO", mapFulfilledNIO)],
        reach: [.allocations(2), .faster(3)])
}

@inline(never) @Sendable private func mapFulfilled(_ operations: Int) {
    let addend = Sink.addend
    for index in 0..<operations {
        Promise.value(index).map { $0 &+ addend }.done { Sink.sum &+= $0 &+ addend }
    }
}

@inline(never) @Sendable private func mapFulfilledNIO(_ operations: Int, _ loop: any EventLoop) {
    let addend = Sink.addend
    for index in 0..<operations {
        loop.makeSucceededFuture(index).map { $0 &+ addend }.whenSuccess { Sink.sum &+= $0 &+ addend }
    }
}
