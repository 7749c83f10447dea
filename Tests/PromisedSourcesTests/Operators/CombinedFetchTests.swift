import Promise
import PromisedSources
import PromisedTesting
import Testing

@Suite struct CombinedFetchTests {
    let scheduler = TestScheduler()
    let left = FakeServer<Int>()
    let right = FakeServer<String>()

    private var pair: Source<Fetchable<(Int, String)>> {
        Source<Fetchable<Int>>.fetching(on: scheduler) { [left] in left.get() }
            .combinedFetch(with: .fetching(on: scheduler) { [right] in right.get() })
    }

    @Test("SA-47: a refresh publishes one pair, when both are back")
    func refreshing() {
        let source = pair
        let (seen, token) = texts(source)
        scheduler.advance()
        left.answer(1, on: scheduler)
        right.answer("a", on: scheduler)
        source.value.fetched?.refresh?()
        scheduler.advance()
        #expect(source.value.text == "(1, \"a\")+")
        left.answer(2, on: scheduler)
        #expect(source.value.text == "(1, \"a\")+")
        right.answer("b", on: scheduler)
        #expect(source.value.text == "(2, \"b\")")
        #expect(Set(seen.values) == ["…", "(1, \"a\")", "(1, \"a\")+", "(2, \"b\")"])
        token.cancel()
    }

    @Test("SA-47: answers that come at once are no half of a pair")
    func atOnce() {
        let count = Threadsafe(wrappedValue: 0)
        func counting() -> Source<Fetchable<Int>> {
            .fetching(on: scheduler) {
                count.wrappedValue += 1
                return .value(count.wrappedValue)
            }
        }
        let source = counting().combinedFetch(with: counting())
        let (seen, token) = texts(source)
        scheduler.advance()
        source.value.fetched?.refresh?()
        scheduler.advance()
        #expect(source.value.text == "(3, 4)")
        #expect(!seen.values.contains { $0.hasPrefix("(3, 2)") || $0.hasPrefix("(1, 4)") })
        token.cancel()
    }

    @Test("SA-47: only one side can be refreshed: the pair is updated all the same, again and again")
    func oneSide() {
        let source = Source<Fetchable<Int>>.fetching(on: scheduler) { [left] in left.get() }
            .combinedFetch(with: .constant(.fetched(.init("a"))))
        _ = source.value
        scheduler.advance()
        left.answer(1, on: scheduler)
        for number in 2...3 {
            source.value.fetched?.refresh?()
            scheduler.advance()
            left.answer(number, on: scheduler)
            #expect(source.value.text == "(\(number), \"a\")")
        }
        let constant = Source<Fetchable<Int>>.constant(.fetched(.init(1)))
        #expect(constant.combinedFetch(with: constant).value.fetched?.refresh == nil)
        // An action that does nothing is no reason to wait.
        let previews = Source<Fetchable<Int>>.constant(.fetched(.init(1, refresh: .doNothing)))
            .combinedFetch(with: .fetching(on: scheduler) { [left] in left.get() })
        _ = previews.value
        scheduler.advance()
        left.answer(1, on: scheduler)
        previews.value.fetched?.refresh?()
        scheduler.advance()
        left.answer(2, on: scheduler)
        #expect(previews.value.text == "(1, 2)")
    }

    @Test("SA-47: it has failed with the error of the first, and a retry retries what has failed")
    func failing() {
        let source = pair
        _ = source.value
        scheduler.advance()
        left.fail("left", on: scheduler)
        #expect(source.value.text == "…")
        right.answer("a", on: scheduler)
        #expect(source.value.text == "left !1")
        source.value.failure?.retry?()
        scheduler.advance()
        #expect(left.requests.wrappedValue == 2 && right.requests.wrappedValue == 1)
        left.answer(1, on: scheduler)
        #expect(source.value.text == "(1, \"a\")")
        source.value.fetched?.refresh?()
        scheduler.advance()
        left.answer(2, on: scheduler)
        right.fail("right", on: scheduler)
        #expect(source.value.text == "(2, \"a\") right !1")

        let both = pair
        _ = both.value
        scheduler.advance()
        left.fail("left", on: scheduler)
        right.fail("right", on: scheduler)
        #expect(both.value.text == "left !1")
        both.value.failure?.retry?()
        scheduler.advance()
        #expect(left.inFlight == 1 && right.inFlight == 1)
    }

    @Test("SA-47: the progress of both, in sum")
    func progress() {
        func reporting(_ progress: FetchProgress?) -> Source<Fetchable<Int>> {
            .constant(.fetching(.init(progress: progress)))
        }
        func combined(_ one: FetchProgress?, _ other: FetchProgress?) -> FetchProgress? {
            reporting(one).combinedFetch(with: reporting(other)).value.fetching?.progress
        }
        let half = FetchProgress(completed: 5, total: 10, remaining: .seconds(3))
        let none = FetchProgress(completed: 0, total: 30, remaining: .seconds(9))
        #expect(combined(half, none) == FetchProgress(completed: 5, total: 40, remaining: .seconds(9)))
        #expect(combined(half, nil) == FetchProgress(completed: 5))
        #expect(combined(half, .init(completed: 1)) == FetchProgress(completed: 6))
        #expect(combined(nil, nil) == nil)
        let done = Source<Fetchable<Int>>.constant(.fetched(.init(1)))
        #expect(done.combinedFetch(with: reporting(half)).value.fetching?.progress == half)
    }

    @Test("SA-47: the requests of both are cancelled with the pair")
    func released() {
        var source: Source? = pair
        _ = source?.value
        scheduler.advance()
        source = nil
        #expect(left.cancelled.wrappedValue == 1 && right.cancelled.wrappedValue == 1)
    }
}
