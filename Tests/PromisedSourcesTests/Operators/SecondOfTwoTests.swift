import Promise
import PromisedSources
import PromisedTesting
import TestSupport
import Testing

/// What holds for the first of two holds for the second one, and with the sides swapped.
@Suite(.tags(.sharedState)) struct SecondOfTwoTests {
    enum Side: CaseIterable, Sendable { case left, right }

    /// Two servers, of which one is looked at, and their pair.
    private struct Pair {
        let scheduler = TestScheduler()
        let servers = [FakeServer<Int>(), FakeServer<Int>()]
        let source: Source<Fetchable<(Int, Int)>>
        let side: Side

        init(_ side: Side) {
            self.side = side
            let sources = servers.map { [scheduler] server in
                Source<Fetchable<Int>>.fetching(on: scheduler) { server.get() }
            }
            source = sources[0].combinedFetch(with: sources[1])
            _ = source.value
            scheduler.advance()
        }

        /// The server of that side, and the other one.
        var this: FakeServer<Int> { servers[side == .left ? 0 : 1] }
        var other: FakeServer<Int> { servers[side == .left ? 1 : 0] }

        /// A pair as a text, given the value of that side first.
        func text(_ this: Int, _ other: Int) -> String {
            side == .left ? "(\(this), \(other))" : "(\(other), \(this))"
        }

        func load() {
            source.value.load()
            scheduler.advance()
        }
    }

    @Test("SA-47: the pair waits for the later one, whichever it is", arguments: Side.allCases)
    func waits(_ side: Side) {
        let pair = Pair(side)
        pair.other.answer(1, on: pair.scheduler)
        #expect(pair.source.value.text == "…")
        pair.this.answer(2, on: pair.scheduler)
        #expect(pair.source.value.text == pair.text(2, 1))
        pair.load()
        #expect(pair.this.inFlight == 1 && pair.other.inFlight == 1)
        pair.this.answer(3, on: pair.scheduler)
        #expect(pair.source.value.text == pair.text(2, 1) + "+")
        // Another refresh does not begin before this one is over.
        pair.load()
        #expect(pair.this.requests.wrappedValue == 2)
        pair.other.answer(4, on: pair.scheduler)
        #expect(pair.source.value.text == pair.text(3, 4))
    }

    @Test(
        "SA-47: a failure of one is that of the pair, and a retry is of that one alone",
        arguments: Side.allCases)
    func fails(_ side: Side) {
        for isFirst in [true, false] {
            let pair = Pair(side)
            if !isFirst { pair.other.answer(1, on: pair.scheduler) }
            pair.this.fail("bad", on: pair.scheduler)
            if isFirst { pair.other.answer(1, on: pair.scheduler) }
            #expect(pair.source.value.text == "bad !1")
            pair.load()
            #expect(pair.this.requests.wrappedValue == 2 && pair.other.requests.wrappedValue == 1)
            #expect(pair.source.value.text == "…")
            pair.this.fail("worse", on: pair.scheduler)
            #expect(pair.source.value.text == "worse !2")
            pair.load()
            pair.this.answer(2, on: pair.scheduler)
            #expect(pair.source.value.text == pair.text(2, 1))
        }
    }

    @Test(
        "SA-47: a refresh that fails on one side shows the other's value, and the failure",
        arguments: Side.allCases)
    func refreshFails(_ side: Side) {
        for isFirst in [true, false] {
            let pair = Pair(side)
            pair.this.answer(1, on: pair.scheduler)
            pair.other.answer(2, on: pair.scheduler)
            pair.load()
            if !isFirst { pair.other.answer(3, on: pair.scheduler) }
            pair.this.fail("bad", on: pair.scheduler)
            if isFirst { pair.other.answer(3, on: pair.scheduler) }
            #expect(pair.source.value.text == pair.text(1, 3) + " bad !1")
            pair.load()
            pair.this.answer(4, on: pair.scheduler)
            pair.other.answer(5, on: pair.scheduler)
            #expect(pair.source.value.text == pair.text(4, 5))
        }
    }

    @Test(
        "SA-47: one side that has no action, or one that does nothing, is not waited for",
        arguments: Side.allCases)
    func oneSide(_ side: Side) {
        for action in [nil, Action<Void>.doNothing, Action { _ in }] {
            let (scheduler, server) = (TestScheduler(), FakeServer<Int>())
            let constant = Source<Fetchable<Int>>.constant(.fetched(.init(7, refresh: action)))
            let fetched = Source<Fetchable<Int>>.fetching(on: scheduler) { server.get() }
            let source =
                side == .left ? constant.combinedFetch(with: fetched) : fetched.combinedFetch(with: constant)
            _ = source.value
            scheduler.advance()
            for number in 1...3 {
                server.answer(number, on: scheduler)
                #expect(source.value.text == (side == .left ? "(7, \(number))" : "(\(number), 7)"))
                source.value.load()
                scheduler.advance()
            }
            #expect(server.inFlight == 1)
        }
    }

    @Test("SA-47: a refresh whose action has gone on one side does not wait for it", arguments: Side.allCases)
    func declined(_ side: Side) {
        let (scheduler, server) = (TestScheduler(), FakeServer<Int>())
        let fetched = Source<Fetchable<Int>>.fetching(on: scheduler) { server.get() }
        // Its action is that of another source, which is released.
        var gone: Source? = Source<Fetchable<Int>>.fetching(on: scheduler) { .value(7) }
        _ = gone?.value
        scheduler.advance()
        let constant = Source<Fetchable<Int>>.constant(gone?.value ?? .fetching(.init()))
        gone = nil
        let source =
            side == .left ? constant.combinedFetch(with: fetched) : fetched.combinedFetch(with: constant)
        _ = source.value
        scheduler.advance()
        server.answer(1, on: scheduler)
        source.value.load()
        scheduler.advance()
        server.answer(2, on: scheduler)
        #expect(source.value.text == (side == .left ? "(7, 2)" : "(2, 7)"))
    }

    @Test("SA-47: the progress is that of the side that is being fetched", arguments: Side.allCases)
    func progress(_ side: Side) {
        let half = FetchProgress(completed: 5, total: 10)
        let loading = Source<Fetchable<Int>>.constant(.fetching(.init(progress: half)))
        func progress(_ other: Fetchable<Int>) -> FetchProgress? {
            let other = Source.constant(other)
            let pair = side == .left ? loading.combinedFetch(with: other) : other.combinedFetch(with: loading)
            return pair.value.fetching?.progress
        }
        #expect(progress(.fetched(.init(1))) == half)
        #expect(progress(.failure(.init(Refused()))) == half)
        #expect(progress(.fetching(.init())) == FetchProgress(completed: 5))
        #expect(progress(.fetching(.init(progress: half))) == FetchProgress(completed: 10, total: 20))
    }

    @Test("SA-47: of two failures the error is that of the first, and the number of attempts the greater one")
    func bothFail() {
        func failing(_ text: String, _ attempts: Int) -> Source<Fetchable<Int>> {
            .constant(.failure(.init(Refused(text), failedAttempts: attempts)))
        }
        #expect(failing("a", 1).combinedFetch(with: failing("b", 3)).value.text == "a !3")
        #expect(failing("a", 3).combinedFetch(with: failing("b", 1)).value.text == "a !3")
        let fetched = Source<Fetchable<Int>>.constant(.fetched(.init(1, refreshFailure: .init(Refused("a")))))
        let other = Source<Fetchable<Int>>.constant(.fetched(.init(2, refreshFailure: .init(Refused("b")))))
        #expect(fetched.combinedFetch(with: other).value.text == "(1, 2) a !1")
        #expect(other.combinedFetch(with: fetched).value.text == "(2, 1) b !1")
    }
}
