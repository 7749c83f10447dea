import Promise
import PromisedTesting
import TestSupport
import Testing

extension Heavy {
    @Suite(.tags(.noSharedState)) struct DepthTests {}
}

/// These run on threads with 512 KiB of stack, also in debug builds.
extension Heavy.DepthTests {
    /// Many times the depth at which recursion overflows the stack; a million by `PROMISED_ROUNDS`.
    private static var most: Int { min(1_000_000, rounds(50_000, stress: 1_000_000)) }

    /// Several times that depth; up to a million by `PROMISED_ROUNDS`.
    private static var many: Int { min(1_000_000, rounds(25_000, stress: 100_000)) }

    private static func chain(_ count: Int, _ source: Promise<Int>) -> Promise<Int> {
        let next: @Sendable (Int) -> Int = { $0 + 1 }
        var promise = source
        for _ in 0..<count { promise = promise.map(next) }
        return promise
    }

    @Test("R10: a long chain of maps settles and is released in constant stack") func settled() {
        let ends = onThreads {
            let (source, resolver) = Promise<Int>.pending()
            let end = Self.chain(Self.most, source).start()
            resolver.fulfill(0)
            return end.result?.value == Self.most
        }
        #expect(ends == [true])
    }

    @Test("R10: abandoning, releasing or cancelling a long chain of maps uses constant stack")
    func dropped() {
        weak var token: Token?
        let held = Box(Token())
        token = held.value
        let ends = onThreads(
            {
                let token = held.value
                held.value = nil
                _ = Self.chain(Self.many, Promise { _ in withExtendedLifetime(token) {} })
                return true
            },
            {
                let end = Self.chain(Self.many, Promise { _ in }).start()
                if case .failure(PromiseError.abandoned) = end.result { return true }
                return false
            },
            {
                let (source, resolver) = Promise<Int>.pending()
                let end = Self.chain(Self.many, source).start()
                end.cancel()
                return resolver.isCancelled && end.result?.error is CancellationError
            })
        #expect(ends == [true, true, true])
        #expect(token == nil)
    }

    @Sendable private static func now(_ turns: Int) -> Promise<Int> {
        turns == 0 ? .value(7) : Promise.value(turns).flatMap { now($0 - 1) }
    }

    @Sendable private static func later(_ turns: Int, _ kept: Kept) -> Promise<Int> {
        turns == 0 ? .value(7) : Promise { kept.value = $0 }.flatMap { _ in later(turns - 1, kept) }
    }

    @Test("R10: a recursive flatMap uses constant stack, synchronously or when fulfilled later")
    func recursive() {
        let values = onThreads(
            { Self.now(Self.most).start().result?.value },
            {
                let kept = Kept()
                let end = Self.later(Self.many, kept).start()
                for _ in 0..<Self.many {
                    kept.value.take()?.fulfill(0)
                }
                return end.result?.value
            })
        #expect(values == [7, 7])
    }

    private struct Function: Sendable {
        let run: @Sendable (Int) -> Int
    }

    @Sendable private static func captured(_ turns: Int, _ run: @escaping @Sendable (Int) -> Int) -> Promise<
        Int
    > {
        turns == 0 ? .value(run(7)) : Promise.value(turns).flatMap { captured($0 - 1, run) }
    }

    @Sendable private static func asValue(_ turns: Int, _ function: Function) -> Promise<Int> {
        turns == 0
            ? .value(function.run(7)) : Promise.value(function).flatMap { asValue(turns - 1, $0) }
    }

    @Sendable private static func promises(_ turns: Int, _ last: Promise<Int>) -> Promise<Int> {
        turns == 0
            ? last
            : Promise.value(turns).flatMap { turns in
                promises(turns - 1, Promise.value(0).flatMap { _ in last })
            }
    }

    @Test("R10: what recursive flatMaps hand on from step to step is called and released in constant stack")
    func handedOn() {
        let function = Function { [token = Token()] value in withExtendedLifetime(token) { value } }
        let values = onThreads(
            { Self.captured(Self.most, function.run).start().result?.value },
            { Self.asValue(Self.most, function).start().result?.value },
            { Self.promises(Self.many, Promise.value(0).map { _ in 7 }).start().result?.value })
        #expect(values == [7, 7, 7])
    }

    @Test(
        "R10: settling, cancelling or releasing a long chain of operators uses constant stack",
        arguments: 0..<3)
    func others(_ end: Int) {
        let isRight = onThreads {
            let scheduler = TestScheduler()
            let (source, resolver) = Promise<Int>.pending()
            var promise = source
            for _ in 0..<3_000 {
                promise = promise.flatMap { .value($0) }.recover { Promise(error: $0) }.ensure {}
                    .timeout(.seconds(1), on: scheduler).mapError { $0 }.receive(on: .immediate)
                    .finally {}.delay(.zero, on: .immediate)
            }
            promise = Promise<Int>.parallel([promise, .value(0)]).map { $0[0] }
            switch end {
            case 0:
                promise.start()
                resolver.fulfill(1)
                return promise.result?.value == 1
            case 1:
                promise.start()
                promise.cancel()
                return resolver.isCancelled
            default: return promise.result == nil
            }
        }
        #expect(isRight == [true])
    }

    @Test("R10: many promises, each settled by a handler of the one before, use constant stack")
    func dominoes() {
        let value = onThreads {
            let (first, resolver) = Promise<Int>.pending()
            var last = first
            for _ in 0..<50_000 {
                let (next, nextResolver) = Promise<Int>.pending()
                last.done { nextResolver.fulfill($0 + 1) }
                last = next
            }
            resolver.fulfill(0)
            return last.result?.value
        }
        #expect(value == [50_000])
    }

    @Test("R10: one settlement settles deeply nested promises in constant stack") func nested() {
        let value = onThreads {
            let (source, resolver) = Promise<Int>.pending()
            var promise = source
            for _ in 0..<50_000 {
                let inner = promise
                promise = Promise.value(0).flatMap { _ in inner }
            }
            promise.start()
            resolver.fulfill(3)
            return promise.result?.value
        }
        #expect(value == [3])
    }
}

/// The resolver of the pending iteration; unchecked because only one thread uses it.
private final class Kept: @unchecked Sendable {
    var value: Resolver<Int>?
}
