import Promise
import PromisedTesting
import Testing

@Suite struct MakingTests {
    @Test("PK-19: a promise made of a value is fulfilled from the start") func value() {
        let promise = Promise.value(3)
        #expect(promise.result?.value == 3)
        #expect(promise.traced().lines == ["3"])
    }

    @Test("PK-19: a promise made of an error is rejected from the start") func error() {
        let promise = Promise<Int>(error: Boom("x"))
        #expect(promise.result?.error as? Boom == Boom("x"))
        #expect(promise.traced().lines == ["!x"])
    }

    @Test("PK-19: a body settles the promise through its resolver") func body() {
        #expect(Promise { $0.fulfill(1) }.traced().lines == ["1"])
        #expect(Promise<Int> { $0.reject(Boom("no")) }.traced().lines == ["!no"])
        #expect(Promise<Int> { $0.resolve(.success(2)) }.traced().lines == ["2"])
        #expect(Promise<Int> { $0.resolve(.failure(Boom("no"))) }.traced().lines == ["!no"])
    }

    @Test("PK-19: a body that throws rejects the promise") func throwing() {
        let promise = Promise<Int> { _ in throw Boom("thrown") }
        #expect(promise.traced().lines == ["!thrown"])
    }

    @Test("PK-19: an error thrown after the settlement is ignored") func throwingLate() {
        let promise = Promise<Int> { resolver in
            resolver.fulfill(1)
            throw Boom("late")
        }
        #expect(promise.traced().lines == ["1"])
    }

    @Test("PK-19: copies of a promise share work and outcome") func copy() {
        let runs = Counter()
        let original = Promise { $0.fulfill(runs.up()) }
        let copy = Promise(original)
        #expect(copy.traced().lines == ["1"])
        #expect(original.traced().lines == ["1"])
        #expect(runs.value == 1)
    }

    @Test("PK-19: async work fulfils or rejects the promise") func asyncWork() async throws {
        #expect(try await Promise { () async throws in 7 }.value == 7)
        await #expect(throws: Boom("async")) {
            try await Promise<Int> { () async throws in throw Boom("async") }.value
        }
    }

    @Test("PK-19: an async body runs once and only when observed") func asyncWorkIsLazy() {
        let scheduler = TestScheduler()
        let runs = Counter()
        let promise = Promise { () async throws in runs.up() }
        scheduler.run()
        #expect(runs.value == 0)
        promise.start(on: scheduler)
        promise.done { _ in }
        scheduler.run()
        #expect(runs.value == 1)
        #expect(promise.result?.value == 1)
        scheduler.finish()
    }

    @Test("PK-19: values of any size and alignment are stored unchanged")
    func layouts() {
        struct Large: Sendable, Equatable { var a = (1...9).map { "\($0)" }, b = 2.5, c: Int8 = 3, d = "d" }
        let wide = SIMD16<Double>(repeating: 4.5)
        #expect(Promise { $0.fulfill(wide) }.map { $0 * 2 }.start().result?.value == wide * 2)
        #expect(Promise { $0.fulfill(Large()) }.map { $0 }.start().result?.value == Large())
        #expect(Promise { $0.fulfill(Int8(1)) }.map { $0 + 1 }.start().result?.value == 2)
        #expect(Promise { $0.fulfill(Int?.none) }.map { $0 == nil }.start().result?.value == true)
        let rejected = Promise<SIMD16<Double>>(error: Boom("wide")).map { $0 }.start()
        #expect(rejected.result?.error as? Boom == Boom("wide"))
        #expect(Promise<Void> { $0.fulfill(()) }.map { 1 }.start().result?.value == 1)
    }
}
