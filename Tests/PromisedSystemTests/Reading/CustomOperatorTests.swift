import PromisedSystem
import Testing

/// Operators that are written outside of the module, with public API only.
@Suite struct CustomOperatorTests {
    private typealias Answer = Result<Int, any Error>

    private let log = Log<String>()

    private func system() -> System<Answer, Answer> {
        System<Answer, Answer>(initialState: .success(0), scheduler: .immediate) { .value($1) }
    }

    @Test("SA-62: an error is logged once, whatever the number of subscribers and readers, and passed on")
    func once() {
        let system = system()
        let logged = system.settled.loggingErrors { [log] error in log.add("logged \(error)") }
        let tokens = (1...3).map { index in
            logged.subscribe(replayCurrent: false) { [log] answer in
                if case .failure = answer { log.add("\(index) failed") }
                if case .failure = logged.value { log.add("\(index) read") }
            }
        }
        system.sendEvent(.failure(TestError("no")))
        #expect(
            log.take() == [
                "logged no", "1 failed", "1 read", "2 failed", "2 read", "3 failed", "3 read",
            ])
        system.sendEvent(.success(1))
        if case .success(let number) = logged.value {
            #expect(number == 1)
        } else {
            Issue.record("no success")
        }
        #expect(log.entries == [])
        for token in tokens { token.cancel() }
    }

    @Test("SA-62: an error is logged without subscribers, and not again for a late subscriber") func alone() {
        let system = system()
        let logged = system.settled.loggingErrors { [log] error in log.add("logged \(error)") }
        system.sendEvent(.failure(TestError("no")))
        #expect(log.take() == ["logged no"])
        let token = logged.subscribe { [log] _ in log.add("late") }
        #expect(log.entries == ["late"])
        token.cancel()
    }

    @Test("SA-62: a custom operator may skip values, and ends with its source") func skips() async {
        let numbers = Numbers(1)
        let rising = numbers.source.scan(first: { $0 }) { $1 > $0 ? $1 : nil }
        let values = rising.values
        numbers.set(3, 2, 5)
        numbers.system.stop()
        #expect(await collect(values) == [1, 3, 5])
    }
}

extension Source {
    fileprivate func loggingErrors<Success>(
        _ log: @escaping @Sendable (any Error) -> Void
    ) -> Source where Value == Result<Success, any Error> {
        let logged = { @Sendable (result: Value) in
            if case .failure(let error) = result { log(error) }
            return result
        }
        return scan(first: logged) { _, result in logged(result) }
    }
}
