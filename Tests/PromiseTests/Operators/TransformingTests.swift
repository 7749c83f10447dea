import Promise
import PromisedTesting
import Testing

@Suite struct TransformingTests {
    @Test("PK-15: map transforms the value, once") func map() {
        let runs = Counter()
        let mapped = Promise.value(2).map { value in
            runs.up()
            return "\(value * 3)"
        }
        #expect(mapped.traced().lines == ["6"])
        #expect(mapped.traced().lines == ["6"])
        #expect(runs.value == 1)
    }

    @Test("PK-15: an error thrown in map rejects the promise") func mapThrows() {
        let mapped = Promise.value(2).map { _ -> Int in throw Boom("map") }
        #expect(mapped.traced().lines == ["!map"])
    }

    @Test("PK-15: map forwards an error without calling the closure") func mapError() {
        let runs = Counter()
        #expect(Promise<Int>(error: Boom("e")).map { _ in runs.up() }.traced().lines == ["!e"])
        #expect(runs.value == 0)
    }

    @Test("PK-15: map waits for a pending promise") func mapPending() {
        let (promise, resolver) = Promise<Int>.pending()
        let log = promise.map { $0 + 1 }.traced()
        #expect(log.lines.isEmpty)
        resolver.fulfill(1)
        #expect(log.lines == ["2"])
    }

    @Test("PK-16: the inner promise starts only after the outer is fulfilled") func flatMap() {
        let log = Log()
        let (outer, resolver) = Promise<Int>.pending()
        let chained = outer.flatMap { value in
            log("made")
            return Promise<Int> {
                log("started")
                $0.fulfill(value + 1)
            }
        }
        chained.trace(log)
        #expect(log.lines.isEmpty)
        resolver.fulfill(1)
        #expect(log.lines == ["made", "started", "2"])
    }

    @Test("PK-16: flatMap forwards an outer error without calling the closure") func flatMapOuterError() {
        let runs = Counter()
        let chained = Promise<Int>(error: Boom("outer")).flatMap { _ in
            runs.up()
            return Promise.value(1)
        }
        #expect(chained.traced().lines == ["!outer"])
        #expect(runs.value == 0)
    }

    enum Inner: CaseIterable { case plain, idle, pending, shared, settled, derived, nested }

    @Test(
        "PK-16: flatMap takes the value or the error of every kind of inner promise",
        arguments: Inner.allCases)
    func kinds(_ kind: Inner) {
        for isFailing in [false, true] {
            let (pending, resolver) = Promise<Int>.pending()
            @Sendable func settle(_ resolver: Resolver<Int>) {
                if isFailing { resolver.reject(Boom("in")) } else { resolver.fulfill(7) }
            }
            let shared = Promise<Int> { settle($0) }
            let settled = Promise<Int> { settle($0) }
            settled.start().catch { _ in }
            let chained = Promise.value(1).then { _ -> Promise<Int> in
                switch kind {
                case .plain: isFailing ? Promise(error: Boom("in")) : .value(7)
                case .idle: Promise { settle($0) }
                case .pending: pending
                case .shared: shared
                case .settled: settled
                case .derived: shared.map { $0 }.mapError { $0 }
                case .nested: Promise.value(2).flatMap { _ in Promise.value(3).flatMap { _ in shared } }
                }
            }
            let log = chained.traced()
            if kind == .pending {
                #expect(log.lines.isEmpty)
                settle(resolver)
            }
            #expect(log.lines == [isFailing ? "!in" : "7"])
            withExtendedLifetime(resolver) {}
        }
    }

    @Test("PK-16: an error thrown in flatMap rejects the promise") func flatMapThrows() {
        let chained = Promise.value(1).flatMap { _ -> Promise<Int> in throw Boom("thrown") }
        #expect(chained.traced().lines == ["!thrown"])
    }

    @Test("a promise resolved with itself is rejected") func itself() {
        let (gate, resolver) = Promise<Int>.pending()
        let own = Box<Promise<Int>>()
        let promise = gate.flatMap { _ in own.value! }
        own.value = promise
        let log = promise.traced()
        resolver.fulfill(1)
        #expect(log.lines == ["!\(PromiseError.resolvedWithItself)"])
        own.value = nil
    }

    @Test("a promise resolved with a promise derived from it is rejected", arguments: 1...3)
    func itselfDerived(_ links: Int) {
        weak var token: Token?
        do {
            let held = Token()
            token = held
            let (gate, resolver) = Promise<Int>.pending()
            let own = Box<Promise<Int>>()
            let promise = gate.flatMap { _ in
                (0..<links).reduce(own.value!) { promise, _ in
                    promise.map { value in withExtendedLifetime(held) { value } }
                }
            }
            own.value = promise
            let log = promise.traced()
            resolver.fulfill(1)
            #expect(log.lines == ["!\(PromiseError.resolvedWithItself)"])
            own.value = nil
        }
        #expect(token == nil)
    }
}
