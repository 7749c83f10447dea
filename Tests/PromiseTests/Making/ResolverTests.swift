import Promise
import Testing

@Suite struct ResolverTests {
    enum Way: CaseIterable {
        case fulfill, reject, success, failure

        func settle(_ resolver: Resolver<Int>, _ number: Int) -> Bool {
            switch self {
            case .fulfill: resolver.fulfill(number)
            case .reject: resolver.reject(Boom("\(number)"))
            case .success: resolver.resolve(.success(number))
            case .failure: resolver.resolve(.failure(Boom("\(number)")))
            }
        }

        var heard: String {
            switch self {
            case .fulfill, .success: "1"
            case .reject, .failure: "!1"
            }
        }
    }

    @Test("PK-19: the first settlement wins, the rest return false", arguments: Way.allCases, Way.allCases)
    func firstWins(_ first: Way, _ second: Way) {
        let (promise, resolver) = Promise<Int>.pending()
        let early = promise.traced()
        #expect(first.settle(resolver, 1))
        #expect(!second.settle(resolver, 2))
        #expect(!first.settle(resolver, 3))
        #expect(early.lines == [first.heard])
        #expect(promise.traced().lines == [first.heard])
    }

    @Test("PK-19: after fulfil 1, fulfil 2 and reject, the value is 1") func published() {
        let promise = Promise<Int> { seal in
            seal.fulfill(1)
            seal.fulfill(2)
            seal.reject(Boom())
        }
        #expect(promise.traced().lines == ["1"])
    }

    @Test("PK-19: a promise is pending while its resolver is retained") func held() {
        let (promise, resolver) = Promise<Int>.pending()
        let log = promise.traced()
        let copy = Box(resolver)
        #expect(log.lines.isEmpty)
        #expect(promise.result == nil)
        copy.value?.fulfill(1)
        #expect(log.lines == ["1"])
    }

    @Test("PK-19: a promise can be settled before it is observed") func settledEarly() {
        let (promise, resolver) = Promise<Int>.pending()
        resolver.fulfill(5)
        #expect(promise.result?.value == 5)
        #expect(promise.map { $0 + 1 }.traced().lines == ["6"])
    }

    @Test("PK-19: interim values and onCancel handlers after settling are ignored") func afterwards() {
        let (promise, resolver) = Promise<Int>.pending()
        let log = promise.traced()
        #expect(resolver.report(1))
        resolver.fulfill(2)
        #expect(!resolver.report(3))
        resolver.onCancel { log("cancelled") }
        promise.cancel()
        #expect(!resolver.isCancelled)
        #expect(log.lines == ["~1", "2"])
    }
}
