import NIOCore
import Promise

extension Line {
    static let handlers = manyHandlers(
        id: "g", what: "10,000 handlers on one promise: a handler", handlers: 10_000, operations: 200_000)
    static let millionHandlers = manyHandlers(
        id: "g6", what: "1,000,000 handlers on one promise: a handler", handlers: 1_000_000,
        operations: 1_000_000)

    private static func manyHandlers(id: String, what: String, handlers: Int, operations: Int) -> Line {
        Line(
            id: id, what: what, operations: operations, smallest: handlers,
            ours: .onThread("ours") { attach(handlers, rounds: $0 / handlers) },
            peers: [.onEventLoop("NIO") { attachNIO(handlers, rounds: $0 / handlers, $1) }],
            reach: [.allocations(2), .faster(1)])
    }
}

@inline(never) private func attach(_ handlers: Int, rounds: Int) {
    let addend = Sink.addend
    for round in 0..<rounds {
        let (promise, resolver) = Promise<Int>.pending()
        for _ in 0..<handlers { promise.done { Sink.sum &+= $0 &+ addend } }
        resolver.fulfill(round)
    }
}

@inline(never) private func attachNIO(_ handlers: Int, rounds: Int, _ loop: any EventLoop) {
    let addend = Sink.addend
    for round in 0..<rounds {
        let promise = loop.makePromise(of: Int.self)
        for _ in 0..<handlers { promise.futureResult.whenSuccess { Sink.sum &+= $0 &+ addend } }
        promise.succeed(round)
    }
}
