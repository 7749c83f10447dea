import NIOCore
import OpenCombine
import Promise

extension Line {
    static let duel = Line(
        id: "j", what: "two threads, one attaches a handler, one fulfils: a promise", operations: 100_000,
        ours: Contender(name: "ours", run: race),
        peers: [
            Contender(name: "OpenCombine", run: raceOpenCombine), Contender(name: "NIO", run: raceNIO),
        ],
        reach: [.faster(2)],
        note: "until every handler has run; the promises are made before, and freed after.")
}

@inline(never) @Sendable private func race(_ rounds: Int) -> Sample {
    let pairs = (0..<rounds).map { _ in Promise<Int>.pending() }
    return Duel.fight(
        rounds, attach: { round in pairs[round].promise.done { Duel.heard[round] = $0 } },
        fulfil: { pairs[$0].resolver.fulfill($0) })
}

@inline(never) @Sendable private func raceNIO(_ rounds: Int) -> Sample {
    let promises = (0..<rounds).map { _ in EventLoops.one.makePromise(of: Int.self) }
    return Duel.fight(
        rounds, attach: { round in promises[round].futureResult.whenSuccess { Duel.heard[round] = $0 } },
        fulfil: { promises[$0].succeed($0) },
        // The handlers run on the loop, in their order; this runs after them.
        end: { EventLoops.run {} })
}

@inline(never) @Sendable private func raceOpenCombine(_ rounds: Int) -> Sample {
    let row = Row(rounds)
    return Duel.fight(
        rounds,
        attach: { round in
            row.handlers.append(row.futures[round].sink { Duel.heard[round] = $0 })
        },
        fulfil: { row.promises[$0](.success($0)) })
}

/// Only the thread that attaches accesses `handlers`; the rest is made before.
private final class Row: @unchecked Sendable {
    let futures: [Future<Int, Never>]
    let promises: [Future<Int, Never>.Promise]
    var handlers: [AnyCancellable] = []

    init(_ count: Int) {
        var promises: [Future<Int, Never>.Promise] = []
        futures = (0..<count).map { _ in Future { promises.append($0) } }
        self.promises = promises
        handlers.reserveCapacity(count)
    }
}
