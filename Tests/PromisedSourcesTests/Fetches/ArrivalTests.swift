import Promise
import PromisedSources
import PromisedTesting
import TestSupport
import Testing

/// What arrives while a request is running, and is computed from the value that is there then.
@Suite struct ArrivalTests {
    let server = CityServer()

    struct CountKey: FetchKey {
        func fetch(from server: CityServer) -> Promise<Int> { server.answer("").map { _ in 10 } }
    }

    struct ListKey: PagesKey {
        let first = 1
        func fetchPage(at cursor: Int, from server: CityServer) -> Promise<Page<String, Int>> {
            server.answer("p\(cursor)v").map { _ in
                cursor == 1 ? Page(["b", "a"], next: 2) : Page(["z"])
            }
        }
    }

    /// A change of the first kind (its answer is applied), or of the second (its answer is the value).
    enum Change: String, CaseIterable, Sendable { case applied, whole, fails }
    enum Arrival: String, CaseIterable, Sendable { case set, setBy, change }

    /// What is shown when the arrival has come, and when the change of before is answered.
    static let expected: [Change: [Arrival: [Int]]] = [
        .applied: [.set: [101, 101], .setBy: [111, 111], .change: [16, 16]],
        .whole: [.set: [101, 11], .setBy: [111, 11], .change: [16, 16]],
        .fails: [.set: [101, 100], .setBy: [111, 110], .change: [16, 15]],
    ]

    @Test(
        "a guess, an answer and a set are functions of the value that is there when they come",
        arguments: Change.allCases, Arrival.allCases)
    func order(change: Change, arrival: Arrival) {
        let fetches = server.fetches
        let observer = server.observe(fetches.source(CountKey()))
        server.scheduler.advance(by: .seconds(1))
        _ = observer.take()
        switch change {
        case .applied, .fails:
            let request: @Sendable () -> Promise<Int> = {
                server.answer("").map { _ in if change == .fails { throw Offline() } else { 1 } }
            }
            fetches.change(CountKey(), optimistic: { $0 += 1 }, by: request, applying: +=).catch { _ in }
        case .whole:
            fetches.change(CountKey(), optimistic: { $0 += 1 }, by: { server.answer("").map { _ in 11 } })
        }
        server.scheduler.advance(by: .milliseconds(500))
        #expect(observer.take() == ["11"])
        switch arrival {
        case .set: fetches.set(100, for: CountKey())
        case .setBy: fetches.set(CountKey()) { $0? += 100 }
        case .change:
            fetches.change(
                CountKey(), optimistic: { $0 += 5 }, by: { server.answer("").map { _ in 5 } }, applying: +=)
        }
        server.scheduler.advance()
        let shown = observer.take()
        server.scheduler.advance(by: .milliseconds(500))
        let answered = observer.take()
        #expect(
            [shown.last, answered.last ?? shown.last] == Self.expected[change]?[arrival]?.map { "\($0)" })
        observer.end()
    }

    @Test("a page is added to the pages that are there when it comes")
    func page() {
        let fetches = server.fetches
        let observer = server.observe(fetches.source(ListKey())) { $0.pages.map { "\($0.items)" }.joined() }
        server.scheduler.advance(by: .seconds(1))
        fetches.fetchNextPage(of: ListKey())
        server.scheduler.advance(by: .milliseconds(500))
        _ = observer.take()
        var pages = Pages<String, Int>()
        pages.append(Page(["NEW", "b", "a"], next: 2), at: 1)
        fetches.set(pages, for: ListKey())
        server.scheduler.advance(by: .milliseconds(500))
        #expect(observer.take() == [#"["NEW", "b", "a"]"#, #"["NEW", "b", "a"]["z"]"#])
        observer.end()
    }

    @Test(
        "a page that does not follow any more is not added, nor does its failure count",
        arguments: [true, false])
    func lostPage(isFailing: Bool) {
        let fetches = server.fetches
        let observer = server.observe(fetches.source(ListKey())) {
            "\($0.items) \($0.next.failure == nil) \($0.next.cursor ?? 0)"
        }
        server.scheduler.advance(by: .seconds(1))
        fetches.fetchNextPage(of: ListKey())
        server.scheduler.advance(by: .milliseconds(500))
        server.fail(isFailing)
        _ = observer.take()
        var pages = Pages<String, Int>()
        pages.append(Page(["c"], next: 7), at: 6)
        fetches.set(pages, for: ListKey())
        server.scheduler.advance(by: .milliseconds(500))
        #expect(observer.take().last == #"["c"] true 7"#)
        observer.end()
    }

    @Test("a set by a function that leaves no value is a no-op, also while the first fetch is running")
    func nothing() {
        let fetches = server.fetches
        fetches.set(CountKey()) { #expect($0 == nil) }
        let observer = server.observe(fetches.source(CountKey()))
        fetches.set(CountKey()) { $0? += 1 }
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["…", "10"])
        fetches.set(CityKey(id: 1)) { $0 = ($0 ?? "") + "known" }
        server.scheduler.advance()
        #expect(fetches.source(CityKey(id: 1)).value.fetched?.value == "known")
        observer.end()
    }

    // MARK: The promise of a change

    /// With and without a value, observed or not: what the promise has, and what is fetched afterwards.
    @Test(
        "the promise of a change is that of its request, whatever happens to the value",
        arguments: [false, true], [false, true])
    func answer(hasValue: Bool, isObserved: Bool) throws {
        let fetches = server.fetches
        let key = CityKey(id: 3)
        if hasValue { fetches.set("known", for: key) }
        if !hasValue { server.fail() }
        let observer = isObserved ? server.observe(fetches.source(key, freshFor: .seconds(60))) : nil
        server.scheduler.advance(by: .seconds(1))
        server.fail()
        if isObserved { fetches.invalidate(key) }
        let liked = fetches.change(
            key, by: { Promise.value("liked").delay(.seconds(1)) }, applying: { $0 += $1 })
        server.scheduler.advance(by: .seconds(5))
        #expect(try liked.result?.get() == "liked")
        observer?.end()
    }

    @Test(
        "what could not be changed is fetched after the change, and not while offline",
        arguments: [true, false])
    func fetchedAfterwards(isOnline: Bool) throws {
        let online = System<Bool, Bool>(
            initialState: true, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: online.settled)
        let key = CityKey(id: 3)
        let liked = fetches.change(key, by: { [server] in server.answer("liked") }, applying: { $0 += $1 })
        server.scheduler.advance(by: .milliseconds(500))
        online.sendEvent(isOnline)
        server.scheduler.advance(by: .milliseconds(500))
        #expect(try liked.result?.get() == "liked1")
        #expect(server.log == (isOnline ? ["liked", "city3v"] : ["liked"]))
        server.fail()
        server.scheduler.advance(by: .seconds(1))
        #expect(try liked.result?.get() == "liked1")
        let model = fetches.source(key).value
        #expect(describe(model) { $0 } == (isOnline ? "failed 1" : "paused"))
    }
}
