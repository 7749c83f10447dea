import Promise
import TestSupport
import Testing

extension Heavy {
    /// Promises linked by values, errors and loading states instead of by operators, on 512 KiB of stack.
    @Suite(.tags(.noSharedState)) struct NestedDepthTests {
        /// Far beyond the depth at which recursion overflows the stack; up to a million by `PROMISED_ROUNDS`.
        private static var many: Int { min(1_000_000, rounds(20_000, stress: 50_000)) }

        @Test("R10: a loading state behind many maps is read, delivered and released") func loadingState() {
            let ends = onThreads({
                let next: @Sendable (Int) -> Int = { $0 &+ 1 }
                var promise = Promise.value(0).stateWhenLoading(1)
                for _ in 0..<Self.many { promise = promise.map(next) }
                let log = Log()
                promise.onInterim { log("~\($0)") }.done { log($0) }
                return promise.loadingState == Self.many + 1
                    && log.lines == ["~\(Self.many + 1)", "\(Self.many)"]
            })
            #expect(ends == [true])
        }

        @Test("PK-11: the maps of a loading state apply in order, keep nil values, and skip errors")
        func loadingStateExact() {
            let letters = (0..<9).map { "\($0)" }
            var promise = Promise.value("").stateWhenLoading("~").interim("+")
            for letter in letters { promise = promise.map { $0 + letter } }
            #expect(promise.loadingState == "+012345678")
            #expect(promise.traced().lines == ["~+012345678", "~~012345678", "012345678"])

            let nested = Promise<Int??>.value(1).stateWhenLoading(.some(nil)).map { $0 }
            #expect(nested.loadingState == .some(.some(nil)))
            #expect(nested.map { $0 == .some(nil) }.loadingState == true)

            let skipped = Promise.value(1).interim(2).interim(3).map { value -> Int in
                guard value != 3 else { throw Boom() }
                return value
            }
            #expect(skipped.map { $0 * 10 }.loadingState == 20)
        }

        private struct Chained: Error {
            let promise: Promise<Int>?
        }

        @Test(
            "R10: a chain of errors, each of which retains a promise, is released in constant stack",
            arguments: [true, false])
        func errors(isPlain: Bool) {
            let ends = onThreads({
                var promise = Promise<Int>(error: Chained(promise: nil))
                for _ in 0..<Self.many {
                    let error = Chained(promise: promise)
                    promise = isPlain ? Promise(error: error) : Promise { $0.reject(error) }.catch { _ in }
                }
                return promise.result?.error is Chained
            })
            #expect(ends == [true])
        }

        private final class Node: Sendable {
            let rest: Promise<Node>?

            init(_ rest: Promise<Node>?) { self.rest = rest }
        }

        @Test(
            "R10: a lazy list, whose values retain the promise of the rest, is released in constant stack",
            arguments: 0..<3)
        func lazyList(form: Int) {
            let ends = onThreads({
                var list: Promise<Node>?
                for _ in 0..<Self.many {
                    let node = Node(list)
                    list =
                        switch form {
                        case 0: Promise { $0.fulfill(node) }.start()
                        case 1: Promise.value(node).map { $0 }
                        default: Promise { [node] in $0.fulfill(node) }
                        }
                }
                return list != nil
            })
            #expect(ends == [true])
        }

        /// Fulfils the next promise with the next baton when it is released.
        private final class Baton: Sendable {
            private let left: Int
            private let next: Resolver<Baton>
            private let count: Counter

            init(_ left: Int, _ next: Resolver<Baton>, _ count: Counter) {
                (self.left, self.next, self.count) = (left, next, count)
            }

            deinit {
                count.up()
                guard left > 0 else { return }
                next.fulfill(Baton(left - 1, Promise<Baton>.pending().resolver, count))
            }
        }

        @Test("R10: values whose deinitialisation fulfils the next promise use constant stack") func ends() {
            let counts = onThreads({
                let count = Counter()
                do { _ = Baton(Self.many, Promise<Baton>.pending().resolver, count) }
                return count.value
            })
            #expect(counts == [Self.many + 1])
        }
    }
}
