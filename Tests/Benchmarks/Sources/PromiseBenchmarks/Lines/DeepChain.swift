import NIOCore
import Promise

extension Line {
    static let chainFulfilled = Line(
        id: "e1", what: "1,000,000 maps on a pending promise, fulfilled: a link", operations: 1_000_000,
        smallest: 1_000_000,
        ours: .onThread("ours", fulfilChain), peers: [.onEventLoop("NIO", fulfilChainNIO)],
        reach: [.faster(1)],
        note: "ours on a thread with 512 KiB of stack, here and in e2; NIO on its event loop's 8 MiB.")

    static let chainDropped = Line(
        id: "e2", what: "1,000,000 maps on a pending promise, dropped unfulfilled: a link",
        operations: 1_000_000,
        smallest: 1_000_000, ours: .onThread("ours", dropChain), reach: [],
        note: "NIO leaks the whole chain when it is dropped unfulfilled, so it is not run.")
}

@inline(never) @Sendable private func fulfilChain(_ links: Int) {
    let addend = Sink.addend
    let (source, resolver) = Promise<Int>.pending()
    var promise = source
    for _ in 0..<links { promise = promise.map { $0 &+ addend } }
    promise.done { Sink.sum &+= $0 &+ addend }
    resolver.fulfill(0)
}

@inline(never) @Sendable private func fulfilChainNIO(_ links: Int, _ loop: any EventLoop) {
    let addend = Sink.addend
    let source = loop.makePromise(of: Int.self)
    var future = source.futureResult
    for _ in 0..<links { future = future.map { $0 &+ addend } }
    future.whenSuccess { Sink.sum &+= $0 &+ addend }
    source.succeed(0)
}

@inline(never) @Sendable private func dropChain(_ links: Int) {
    let addend = Sink.addend
    var promise = Promise<Int>.pending().promise
    for _ in 0..<links { promise = promise.map { $0 &+ addend } }
    withExtendedLifetime(promise) {}
}
