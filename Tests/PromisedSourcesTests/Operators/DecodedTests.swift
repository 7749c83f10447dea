import Foundation
import Promise
import PromisedSources
import PromisedTesting
import Testing

@Suite struct DecodedTests {
    let scheduler = TestScheduler()
    let server = FakeServer<Data>()

    @Test("SA-53: bad JSON twice, then good: attempts 1 and 2, then fetched; a second view counts on its own")
    func attempts() {
        let fetched = Source<Fetchable<Data>>.fetching(on: scheduler) { [server] in server.get() }
        let first = fetched.jsonDecoded(as: [Int].self)
        _ = first.value
        scheduler.advance()
        server.answer(Data("bad".utf8), on: scheduler)
        #expect(first.value.failure?.failedAttempts == 1)
        let second = fetched.jsonDecoded(as: [Int].self)
        #expect(second.value.failure?.failedAttempts == 1)
        first.value.failure?.retry?()
        scheduler.advance()
        #expect(first.value.text == "…")
        server.answer(Data("[1".utf8), on: scheduler)
        #expect(first.value.failure?.failedAttempts == 2 && second.value.failure?.failedAttempts == 2)
        let third = fetched.jsonDecoded(as: [Int].self)
        #expect(third.value.failure?.failedAttempts == 1)
        third.value.failure?.retry?()
        scheduler.advance()
        server.answer(Data("[1]".utf8), on: scheduler)
        #expect(first.value.text == "[1]" && second.value.text == "[1]" && third.value.text == "[1]")
    }

    @Test("SA-53: a value that was decoded is kept when the next one is bad, or does not come")
    func kept() {
        let source = Source<Fetchable<Data>>.fetching(on: scheduler) { [server] in server.get() }
            .decoded { data -> Int in
                guard let number = Int(String(decoding: data, as: UTF8.self)) else {
                    throw Refused("no number")
                }
                return number
            }
        let (seen, token) = texts(source)
        scheduler.advance()
        for answer in ["1", "x", "y", nil, "2"] {
            if let answer {
                server.answer(Data(answer.utf8), on: scheduler)
            } else {
                server.fail(on: scheduler)
            }
            source.value.load()
            scheduler.advance()
        }
        #expect(
            seen.values == [
                "…", "1", "1+", "1 no number !1", "1+ no number !1", "1 no number !2", "1+ no number !2",
                "1 refused !1", "1+ refused !1", "2", "2+",
            ])
        token.cancel()
    }

    @Test("SA-53: a value is decoded once, however many subscribers there are")
    func once() {
        let count = Threadsafe(wrappedValue: 0)
        let source = Source<Fetchable<Data>>.fetching(on: scheduler) { [server] in server.get() }
            .decoded { data -> Int in
                count.wrappedValue += 1
                return data.count
            }
        let tokens = (1...3).map { _ in source.subscribe { _ in } }
        scheduler.advance()
        server.answer(Data([1, 2]), on: scheduler)
        #expect(count.wrappedValue == 1 && source.value.text == "2")
        withExtendedLifetime(tokens) {}
    }
}
