import NIOCore
import Promise

extension Line {
    static let maps = Line(
        id: "c", what: "10 maps on a pending promise, one handler, fulfil", operations: 30_000,
        ours: .onThread("ours", tenMaps), peers: [.onEventLoop("NIO", tenMapsNIO)],
        reach: [.allocations(24), .faster(1.3)], stretch: [.faster(2)])

    static let flatMaps = Line(
        id: "d", what: "10 flatMaps on a pending promise, each to a fulfilled one, one handler, fulfil",
        operations: 30_000,
        ours: .onThread("ours", tenFlatMaps), peers: [.onEventLoop("NIO", tenFlatMapsNIO)],
        reach: [.allocations(24), .faster(3)])
}

@inline(never) @Sendable private func tenMaps(_ operations: Int) {
    let addend = Sink.addend
    for index in 0..<operations {
        let (source, resolver) = Promise<Int>.pending()
        var promise = source
        for _ in 0..<10 { promise = promise.map { $0 &+ addend } }
        promise.done { Sink.sum &+= $0 &+ addend }
        resolver.fulfill(index)
    }
}

@inline(never) @Sendable private func tenMapsNIO(_ operations: Int, _ loop: any EventLoop) {
    let addend = Sink.addend
    for index in 0..<operations {
        let source = loop.makePromise(of: Int.self)
        var future = source.futureResult
        for _ in 0..<10 { future = future.map { $0 &+ addend } }
        future.whenSuccess { Sink.sum &+= $0 &+ addend }
        source.succeed(index)
    }
}

@inline(never) @Sendable private func tenFlatMaps(_ operations: Int) {
    let addend = Sink.addend
    for index in 0..<operations {
        let (source, resolver) = Promise<Int>.pending()
        var promise = source
        for _ in 0..<10 { promise = promise.flatMap { .value($0 &+ addend) } }
        promise.done { Sink.sum &+= $0 &+ addend }
        resolver.fulfill(index)
    }
}

@inline(never) @Sendable private func tenFlatMapsNIO(_ operations: Int, _ loop: any EventLoop) {
    let addend = Sink.addend
    for index in 0..<operations {
        let source = loop.makePromise(of: Int.self)
        var future = source.futureResult
        // The loop is captured too, in the same context, which is no extra allocation.
        for _ in 0..<10 { future = future.flatMap { loop.makeSucceededFuture($0 &+ addend) } }
        future.whenSuccess { Sink.sum &+= $0 &+ addend }
        source.succeed(index)
    }
}
