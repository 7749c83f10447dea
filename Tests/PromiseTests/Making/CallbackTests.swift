import Promise
import Testing

@Suite struct CallbackTests {
    typealias Results = @Sendable (Result<Int, any Error>) -> Void
    typealias Pairs = @Sendable (Int?, (any Error)?) -> Void

    @Test("R2: fromCallback is lazy, runs once, and settles with the first call", arguments: [1, -1])
    func once(_ number: Int) {
        let runs = Counter()
        let kept = Box<Results>()
        let promise = Promise<Int>.fromCallback { callback in
            runs.up()
            kept.value = callback
        }
        #expect(runs.value == 0)
        let (log, second) = (promise.traced(), promise.traced())
        #expect(runs.value == 1 && log.lines.isEmpty)
        kept.value?(number > 0 ? .success(number) : .failure(Boom("e")))
        kept.value?(.success(9))
        kept.value?(.failure(Boom("late")))
        #expect(log.lines == [number > 0 ? "1" : "!e"])
        #expect(second.lines == log.lines)
    }

    @Test("R2: a callback with an optional value and an optional error: the error wins", arguments: 0..<3)
    func older(_ kind: Int) {
        let kept = Box<Pairs>()
        let log = Promise<Int>.fromCallback { callback in kept.value = callback }.traced()
        switch kind {
        case 0: kept.value?(1, nil)
        case 1: kept.value?(nil, Boom("e"))
        default: kept.value?(1, Boom("e"))
        }
        kept.value?(9, nil)
        #expect(log.lines == [kind == 0 ? "1" : "!e"])
    }

    @Test("R2: a callback with neither value nor error rejects with the origin of the promise")
    func neither() {
        let line: UInt = #line + 1
        let promise = Promise<Int>.fromCallback { (callback: Pairs) in callback(nil, nil) }
        guard case .failure(PromiseError.abandoned(let origin)) = promise.start().result else {
            Issue.record("another outcome")
            return
        }
        #expect(origin == Origin(#fileID, line))
    }

    @Test("R2: an optional value that is nil is a value") func optional() {
        let promise = Promise<Int?>.fromCallback { (callback: @Sendable (Int??, (any Error)?) -> Void) in
            callback(.some(nil), nil)
        }
        #expect(promise.traced().lines == ["nil"])
    }

    @Test("R2: a callback that is released without a call rejects with abandoned, in both forms")
    func forgotten() {
        let line: UInt = #line
        let result = Promise<Int>.fromCallback { (_: @escaping Results) in }
        let pair = Promise<Int>.fromCallback { (_: @escaping Pairs) in }
        for (index, promise) in [result, pair].enumerated() {
            guard case .failure(PromiseError.abandoned(let origin)) = promise.start().result else {
                Issue.record("another outcome")
                continue
            }
            #expect(origin == Origin(#fileID, line + 1 + UInt(index)))
        }
        let kept = Box<Results>()
        let log = Promise<Int>.fromCallback { callback in kept.value = callback }.traced()
        #expect(log.lines.isEmpty)
        kept.value = nil
        #expect(log.count == 1)
    }

    @Test("R2: a body that throws rejects the promise") func throwing() {
        #expect(Promise<Int>.fromCallback { (_: Results) in throw Boom("t") }.traced().lines == ["!t"])
        #expect(Promise<Int>.fromCallback { (_: Pairs) in throw Boom("t") }.traced().lines == ["!t"])
    }

    @Test("R2: a cancelled promise ignores its callback") func cancelled() {
        let kept = Box<Results>()
        let promise = Promise<Int>.fromCallback { callback in kept.value = callback }
        let log = promise.traced()
        promise.cancel()
        kept.value?(.success(1))
        #expect(log.lines == ["!CancellationError()"])
    }

    @Test("R2: a function with a completion handler can be passed directly") func plain() {
        @Sendable func results(_ completion: @escaping Results) { completion(.success(1)) }
        @Sendable func pairs(_ completion: @escaping Pairs) { completion(2, nil) }
        #expect(Promise.fromCallback(results).traced().lines == ["1"])
        #expect(Promise.fromCallback(pairs).traced().lines == ["2"])
        #expect(Promise.fromCallback { callback in results(callback) }.traced().lines == ["1"])
        #expect(Promise.fromCallback { callback in pairs(callback) }.traced().lines == ["2"])
        let several = Promise<Int>.fromCallback { callback in
            let doubled = 2 * 2
            pairs { value, error in callback(value.map { $0 * doubled }, error) }
        }
        #expect(several.traced().lines == ["8"])
    }
}
